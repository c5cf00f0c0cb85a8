"use strict";
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0];
  table.querySelectorAll("thead th").forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") !== "descending";
      table.querySelectorAll("thead th").forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const value = (row) => row.cells[column].textContent;
      const number = (row) => parseFloat(value(row).replaceAll(",", "").replace("\u2212", "-"));
      const compare = (a, b) => {
        const [x, y] = [number(a), number(b)];
        if (Number.isNaN(x + y)) {
          return Number.isNaN(x) - Number.isNaN(y) || (down ? 1 : -1) * value(a).localeCompare(value(b));
        }
        return down ? y - x : x - y;
      };
      body.append(...Array.from(body.rows).sort(compare));
    });
  });
}
