"""Recounts `eco stats --strengths` and `--weaknesses` from the rows of `eco classify`, with numpy and
scipy and without eco's own arithmetic, by the method of docs/stats.md:

    python3 tests/recount/findings.py ECO games.pgn [PLAYER]

PLAYER is a name as the tags have it. Prints each row that differs, and their number.
"""

import csv
import datetime
import io
import subprocess
import sys

import numpy as np
from scipy.stats import norm

FIELDS = (
    "white,black,result,date,family,variation,speed,time_control,white_elo,black_elo,utc_time,"
    "tag:Time,moves,error"
)
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
SEASONS = "January-March April-June July-September October-December".split()
PER_POINT = np.log(10) / 400


def rows(*command):
    out = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout
    return list(csv.DictReader(io.StringIO(out.decode())))


def logistic(x):
    return 1 / (1 + np.exp(-x * PER_POINT))


def band(gap):
    """Own rating minus the opponent's, in bands of 100 around multiples of 100."""
    middle = int((abs(gap) + 50) // 100) * 100
    if middle == 0:
        return "-49 to +49"
    sign = "+" if gap > 0 else "-"
    return f"{sign}{middle - 50} to {sign}{middle + 49}"


def first_moves(moves, plies):
    words = [word for word in moves.split() if not word[0].isdigit()][:plies]
    return "1. " + " ".join(words) if words else None


def number(text):
    return int(text) if text.isdigit() and 1 <= int(text) <= 4000 else None


def played(row, player):
    """The games of a row, each from a side; none of another variant."""
    if "variant" in row["error"]:
        return
    points = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}.get(row["result"])
    ratings = number(row["white_elo"]), number(row["black_elo"])
    if points is None or None in ratings:
        return
    date = [int(part) for part in row["date"].replace(".", "-").split("-") if part.isdigit()]
    time = row["utc_time"] or row["tag:Time"] or ""
    full = None
    if len(date) == 3:
        full = datetime.date(date[0], date[1], 1) + datetime.timedelta(date[2] - 1)
    for side in ("white", "black"):
        if player is None and side == "black" or player not in (None, row[side]):
            continue
        is_black = side == "black"
        own, other = ratings[::-1] if is_black else ratings
        color = side if player else None
        variation = row["family"] + (": " + row["variation"] if row["variation"] else "")
        openings = {
            "family": row["family"] or None,
            "variation": variation or None,
            "first_moves": first_moves(row["moves"], 1),
            "first_moves/2": first_moves(row["moves"], 2),
        }
        values = {name: (color, value) for name, value in openings.items() if value}
        others = {"speed": row["speed"] or None}
        if player:
            hour = time.split(":")[0]
            others |= {
                "color": side,
                "time_control": row["time_control"].strip() or None,
                "hour": str(int(hour)) if ":" in time and hour.isdigit() else None,
                "weekday": WEEKDAYS[full.weekday()] if full else None,
                "opponent": band(own - other),
                "season": SEASONS[(date[1] - 1) // 3] if len(date) > 1 else None,
            }
        if others.get("time_control") in ("?", "-"):
            others["time_control"] = None
        values |= {name: (None, value) for name, value in others.items() if value}
        yield {
            "points": 1 - points if is_black else points,
            "gap": own - other,
            "sign": -1 if is_black else 1,
            "month": 12 * date[0] + (date[1] - 1 if len(date) > 1 else 6) if date else 0,
            "day": tuple(date) if len(date) == 3 else None,
            "white": row["white"],
            "black": row["black"],
            "other": row["white"] if is_black else row["black"],
            "values": values,
        }


def fit(gap, lever, points, prior):
    mean, deviation = np.array(prior).T
    at = mean.copy()
    x = np.stack([np.ones_like(gap), lever])
    for _ in range(12):
        e = logistic(gap + at @ x)
        slope = PER_POINT * x @ (points - e) + (mean - at) / deviation**2
        curve = PER_POINT**2 * (x * (e * (1 - e))) @ x.T + np.diag(1 / deviation**2)
        at = at + np.linalg.solve(curve, slope)
    return at


def spread(values, variances):
    """The method of moments of DerSimonian and Laird."""
    w = 1 / variances
    mean = (w * values).sum() / w.sum()
    scale = w.sum() - (w**2).sum() / w.sum()
    q = (w * (values - mean) ** 2).sum()
    return max(0, (q - (len(values) - 1)) / scale) if scale > 0 else 0


def expectation(games, points, gap, player):
    if not player:
        white, more = fit(gap, gap, points, [(0, 200), (0, 0.5)])
        return logistic(gap * (1 + more) + white)
    sign = np.array([game["sign"] for game in games], float)
    _, white = fit(gap, sign, points, [(0, 200), (0, 200)])
    white = min(max(white, 0), 40)
    own, _ = fit(gap, sign, points, [(0, 200), (white, 1e-6)])
    gap = gap + own + sign * white
    e = logistic(gap)
    variance = ((points - e) ** 2).mean()
    months = {}
    for place, game in enumerate(games):
        months.setdefault(game["month"], []).append(place)
    dated = sorted(month for month in months if month)
    years = [sum((months[m] for m in dated if -6 <= m - own < 6), []) for own in dated]
    weights = np.array([PER_POINT * (e[y] * (1 - e[y])).sum() for y in years])
    steps = np.array([(points[y] - e[y]).sum() for y in years]) / weights
    variances = variance * np.array([len(y) for y in years]) / weights**2
    tau = spread(steps, variances) if len(years) > 1 else 0
    for month, step in zip(dated, steps * tau / (tau + variances)):
        gap[months[month]] += step
    return logistic(gap)


def dependence(values, of_game, rest, clusters):
    """The mean product of the errors of two games of a cluster and a value, and each value's pairs."""
    products, pairs_of = 0.0, np.zeros(len(values))
    for value in range(len(values)):
        mine = [i for i in np.nonzero(of_game == value)[0] if clusters[i] is not None]
        if len(mine) == 0:
            continue
        own = rest[mine] - rest[of_game == value].mean()
        _, names = np.unique([str(clusters[i]) for i in mine], return_inverse=True)
        sums, counts = np.bincount(names, own), np.bincount(names)
        pairs_of[value] = (counts * (counts - 1)).sum()
        products += (sums**2).sum() - (own**2).sum()
        if len(mine) > 1:
            products += pairs_of[value] * (own**2).sum() / (len(mine) - 1) / len(mine)
    all_pairs = pairs_of.sum()
    return max(0, products / all_pairs if all_pairs else 0), pairs_of


def findings(games, player):
    points = np.array([game["points"] for game in games])
    gap = np.clip(np.array([game["gap"] for game in games], float), -400, 400)
    rest = points - expectation(games, points, gap, player)
    above, ratings = rest.copy(), points - logistic(gap)
    count = len(games)
    bands = np.minimum(np.abs(gap) // 100, 4).astype(int)
    sizes = np.bincount(bands, minlength=5)
    squares = np.bincount(bands, rest**2, 5)
    game_variance = np.where(sizes < 20, (rest**2).mean(), squares / np.maximum(sizes, 1))[bands]
    shares = {"family": 8, "variation": 8, "first_moves": 2, "first_moves/2": 2}
    hypotheses, of_games = [], {}
    names = ["color"] if player else []
    names += ["family", "variation", "first_moves", "first_moves/2", "speed"]
    names += ["time_control", "hour", "weekday", "opponent", "season"] if player else []
    clusters = [[game["other"] for game in games], [game["day"] for game in games]]
    if not player:
        clusters = [[game[side] for game in games] for side in ("white", "black")]
    clusters = [[None if name in ("", "?", "-") else name for name in kind] for kind in clusters]
    for question in names:
        groups = {}
        for place, game in enumerate(games):
            if question in game["values"]:
                groups.setdefault(game["values"][question], []).append(place)
        groups = {v: np.array(g) for v, g in groups.items() if 20 <= len(g) <= count - 20}
        of_game = np.full(count, -1)
        for place, members in enumerate(groups.values()):
            of_game[members] = place
        variances = np.array([game_variance[g].sum() for g in groups.values()])
        for kind in clusters:
            mean, pairs = dependence(list(groups), of_game, rest, kind)
            variances = variances + mean * pairs
        total = sum(len(g) for g in groups.values())
        for (value, members), variance in zip(groups.items(), variances):
            share = shares.get(question, 1) * len(members) / total
            hypotheses.append([question, value, members, variance, share, False])
    asked = {h[0] for h in hypotheses}
    whole = sum(shares.get(question, 1) for question in asked)

    def contrast(h, errors):
        n = len(h[2])
        return errors[h[2]].mean() - errors.mean(), h[3] / n**2 * (1 - n / count)

    found, q = [], 0
    for step in range(1, len(hypotheses) + 1):
        left = [h for h in hypotheses if not h[5]]
        p = [2 * norm.sf(abs(v) / s**0.5) * whole / h[4] for h in left for v, s in [contrast(h, rest)]]
        if not p or max(q, min(p) / step) > 0.1:
            break
        q = max(q, min(p) / step)
        best = left[int(np.argmin(p))]
        same = [h for h in hypotheses if h[0] == best[0]]
        both = len(same) == 2 and sum(len(h[2]) for h in same) > 0.95 * count
        for h in same if both else [best]:
            value, variance = contrast(h, rest)
            first = np.array([contrast(one, above) for one in same])
            tau = max(spread(first[:, 0], first[:, 1]) if len(first) > 1 else 0, value**2 / len(same))
            found.append(
                {
                    "question": h[0].split("/")[0],
                    "color": h[1][0] or "",
                    "value": h[1][1],
                    "games": len(h[2]),
                    "score": 100 * points[h[2]].mean(),
                    "diff": 100 * contrast(h, above)[0],
                    "diff_ratings": 100 * ratings[h[2]].mean(),
                    "estimate": 100 * value * tau / (tau + variance),
                    "q": q,
                }
            )
            h[5] = True
        shift = contrast(best, rest)[0] * count / (count - len(best[2]))
        rest[best[2]] -= shift
    return found


def main():
    eco, path, *player = sys.argv[1:]
    player = player[0] if player else None
    classified = rows(eco, "classify", path, "--format", "csv", "--fields", FIELDS, "--quiet")
    games = [game for row in classified for game in played(row, player)]
    expected = findings(games, player)
    whose = ["--player", player] if player else []
    differences, listed = 0, []
    for option in ("--strengths", "--weaknesses"):
        listed += rows(eco, "stats", path, option, "--format", "csv", "--quiet", *whose)
    for own in expected:
        key = [own["question"], own["color"], own["value"]]
        same = [r for r in listed if [r["question"], r.get("color") or "", r["value"]] == key]
        tolerance = {"games": 0, "q": 0.00051}
        numbers = ["games", "score", "diff", "diff_ratings", "estimate", "q"]
        if len(same) != 1 or any(
            abs(float(same[0][n]) - own[n]) > tolerance.get(n, 0.0501) for n in numbers
        ):
            differences += 1
            print("recount:", own, "eco:", same)
    differences += abs(len(listed) - len(expected))
    print(f"{path}: {len(games)} games, {len(expected)} findings, {differences} differences")
    return differences > 0


if __name__ == "__main__":
    sys.exit(main())
