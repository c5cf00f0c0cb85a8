# Invents the games of a player who does not exist, "Vera Lind", from the lines of a master:
#
#   awk -f data/games/season.awk data/openings/*.tsv > lind.pgn
#
# Openings are drawn from her repertoire below, and then a line of the opening, short ones more
# often. Results are drawn from the ratings, White's advantage, and what she makes of the opening.
# There is no chance in it: the same games come out everywhere.

BEGIN {
    FS = "\t"
    seed = 2026
    games = 1600
    # Her side, how often she has the opening, its name, and her points per 100 games beyond that.
    add("w", 16, "Sicilian Defense: Najdorf", 8)
    add("w", 11, "Sicilian Defense: Dragon", -1)
    add("w", 9, "Sicilian Defense: Taimanov", 1)
    add("w", 8, "Sicilian Defense: Closed", 4)
    add("w", 12, "Ruy Lopez: Closed", 3)
    add("w", 9, "Ruy Lopez: Berlin", -4)
    add("w", 7, "Ruy Lopez: Morphy", 0)
    add("w", 8, "Italian Game: Two Knights", 2)
    add("w", 7, "Italian Game: Giuoco", -3)
    add("w", 18, "French Defense: Winawer", -14)
    add("w", 9, "French Defense: Tarrasch", 3)
    add("w", 8, "French Defense: Advance", 1)
    add("w", 10, "Caro-Kann Defense: Advance", 6)
    add("w", 8, "Caro-Kann Defense: Exchange", -2)
    add("w", 7, "Scandinavian Defense: Mieses", 7)
    add("w", 6, "Pirc Defense: Classical", 0)
    add("w", 6, "Petrov's Defense: Classical", -5)
    add("b", 12, "Nimzo-Indian Defense: Classical", 0)
    add("b", 10, "Nimzo-Indian Defense: Normal", 5)
    add("b", 7, "Nimzo-Indian Defense: S", 2)
    add("b", 10, "Queen's Indian Defense: Fianchetto", 1)
    add("b", 8, "Queen's Indian Defense: Kasparov", -3)
    add("b", 14, "Catalan Opening: Open", -14)
    add("b", 8, "Catalan Opening: Closed", -2)
    add("b", 8, "English Opening: Symmetrical", 3)
    add("b", 7, "English Opening: Agincourt", 0)
    add("b", 14, "Ruy Lopez: Closed", 4)
    add("b", 10, "Ruy Lopez: Exchange", -1)
    add("b", 7, "Ruy Lopez: Morphy", 1)
    add("b", 10, "Italian Game: Classical", 2)
    add("b", 9, "Scotch Game", -9)
    add("b", 6, "King's Gambit Accepted", 9)
    add("b", 6, "Vienna Game", -4)
}

function add(side, weight, name, points) {
    count++
    sides[count] = side; weights[count] = weight; names[count] = name; bonus[count] = points
    sum[side] += weight
}

# From 0 to 1: Park and Miller's generator, whose numbers are exact in floating point.
function chance() {
    seed = (seed * 16807) % 2147483647
    return seed / 2147483647
}

function below(end) {
    return int(chance() * end)
}

FNR > 1 {
    for (n = 1; n <= count; n++) {
        if (index($2, names[n]) == 1) lines[n, held[n]++] = $3
    }
}

function game(number,    side, left, n, own, other, gap, score, draw, result, white, black) {
    side = number % 2 ? "w" : "b"
    left = chance() * sum[side]
    for (n = 1; n <= count; n++) {
        if (sides[n] != side) continue
        left -= weights[n]
        if (left < 0) break
    }
    own = 2050 + int(number / 20) + below(30)
    other = own - 180 + below(360)
    gap = own - other
    # Close enough to the curve of expectations, and exact everywhere.
    score = 0.5 + gap / 800 + (side == "w" ? 0.03 : -0.03) + bonus[n] / 100
    draw = 0.3
    left = chance()
    result = left < draw ? "1/2-1/2" : left < score + draw / 2 ? "win" : "loss"
    if (result != "1/2-1/2") result = (result == "win") == (side == "w") ? "1-0" : "0-1"
    white = side == "w" ? "Lind, Vera" : "Opponent " 1 + below(60)
    black = side == "b" ? "Lind, Vera" : "Opponent " 1 + below(60)
    printf "[Event \"Season %d\"]\n[Site \"?\"]\n", 2019 + int((number - 1) / 200)
    printf "[Date \"%d.%02d.%02d\"]\n", 2019 + int((number - 1) / 200), 1 + int((number - 1) % 200 / 17), 1 + below(28)
    printf "[White \"%s\"]\n[Black \"%s\"]\n[Result \"%s\"]\n", white, black, result
    printf "[WhiteElo \"%d\"]\n[BlackElo \"%d\"]\n", side == "w" ? own : other, side == "w" ? other : own
    printf "[TimeControl \"%s\"]\n\n", number % 3 ? "5400+30" : "900+10"
    left = chance()
    print lines[n, int(left * left * held[n])] " " result "\n"
}

END {
    for (number = 1; number <= games; number++) game(number)
}
