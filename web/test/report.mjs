/**
 * What is wrong with a report as it is drawn, and how many labels of its pictures were looked at: run inside the page.
 *
 * It looks for what is wider than the screen, labels that overlap, are cut off or hard to read, tables that do not sort, links to no part of
 * the page, and anything fetched from elsewhere.
 */
export function measure() {
  const wrong = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) wrong.push("wider than the screen: " + root.scrollWidth);
  // The ratio of WCAG 2, from 1 to 21.
  const light = (color) => {
    const [r, g, b] = color.match(/[\d.]+/g).slice(0, 3).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const contrast = (a, b) => Math.max(light(a) / light(b), light(b) / light(a));
  const paper = getComputedStyle(document.body).backgroundColor;
  for (const element of document.querySelectorAll("h1, h2, h3, p, li, a, small, dt, dd, summary, th, td")) {
    const ratio = contrast(getComputedStyle(element).color, paper);
    if (ratio < 4.5) wrong.push("contrast " + ratio.toFixed(1) + ": " + element.textContent.slice(0, 40));
  }
  let looked = 0;
  for (const picture of document.querySelectorAll("svg")) {
    const frame = picture.getBoundingClientRect();
    if (frame.width === 0) continue;
    const name = picture.querySelector("title").textContent;
    const texts = Array.from(picture.querySelectorAll("text"), (text) => [text.getBoundingClientRect(), text]);
    looked += texts.length;
    for (const [box, text] of texts) {
      if (box.left < frame.left - 2 || box.right > frame.right + 2 || box.top < frame.top - 3 || box.bottom > frame.bottom + 3) {
        wrong.push("cut off in " + name + ": " + text.textContent);
      }
      // The box behind the label; what has no colour of its own is as light as the page.
      const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
      const ground = Array.from(text.parentElement.querySelectorAll(":scope > rect")).find((rect) => {
        const at = rect.getBoundingClientRect();
        return at.left <= x && x <= at.right && at.top <= y && y <= at.bottom;
      });
      const fill = ground && getComputedStyle(ground).fill;
      const behind = fill && fill.startsWith("rgb(") ? fill : paper;
      const ratio = contrast(getComputedStyle(text).fill, behind);
      if (ratio < 3) wrong.push("contrast " + ratio.toFixed(1) + " in " + name + ": " + text.textContent);
    }
    texts.forEach(([a, first], place) => {
      for (const [b, second] of texts.slice(place + 1)) {
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        // A line is higher than its letters: a quarter of it is empty.
        if (across > 1 && down > 0.4 * Math.min(a.height, b.height)) {
          wrong.push("overlap in " + name + ": " + first.textContent + " / " + second.textContent);
        }
      }
    });
  }
  for (const table of document.querySelectorAll("table")) {
    const head = table.querySelectorAll("thead button")[1];
    if (!head) { wrong.push("a table does not sort"); continue; }
    head.click();
    const numbers = Array.from(table.tBodies[0].rows, (row) => parseFloat(row.cells[1].textContent.replaceAll(",", "")));
    if (numbers.some((number, place) => place > 0 && numbers[place - 1] < number)) {
      wrong.push("not sorted: " + table.caption.textContent);
    }
  }
  for (const link of document.querySelectorAll('a[href^="#"]')) {
    if (!document.getElementById(link.getAttribute("href").slice(1))) wrong.push("leads nowhere: " + link.textContent);
  }
  const fetched = performance.getEntriesByType("resource").filter((entry) => new URL(entry.name).host !== location.host);
  if (fetched.length > 0) wrong.push("fetched: " + fetched.map((entry) => entry.name));
  const look = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  return { look, looked, wrong };
}
