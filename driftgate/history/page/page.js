
"use strict";
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);

  // --- the filter ---
  const word = byId("filter-name"), sort = byId("filter-sort"), said = byId("filter-status");
  const groups = [...document.querySelectorAll("#names tbody")].map((body) => ({
    body, rows: [...body.querySelectorAll("tr[data-name]")],
  }));
  function filter() {
    const wanted = word.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0, all = 0;
    for (const { body, rows } of groups) {
      let here = 0;
      for (const row of rows) {
        const fits = (!sort.value || body.dataset.sort === sort.value)
          && wanted.every((part) => row.dataset.name.includes(part));
        row.hidden = !fits;
        here += fits;
      }
      body.hidden = here === 0;
      shown += here;
      all += rows.length;
    }
    said.textContent = shown === all ? `${all} names` : `${shown} of ${all} names`;
  }
  byId("filter").addEventListener("submit", (event) => event.preventDefault());
  word.addEventListener("input", filter);
  sort.addEventListener("change", filter);

  // --- comparing two releases ---
  const a = byId("release-a"), b = byId("release-b"), place = byId("difference");
  const releases = new Map(data.releases.map(([version, surface, read]) => [version, { surface, read }]));
  function element(tag, text) {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    return made;
  }
  function list(title, lines) {
    const part = document.createDocumentFragment();
    if (!lines.length) return part;
    part.append(element("h3", `${title} (${lines.length})`));
    const items = element("ul");
    for (const line of lines) items.append(element("li", line));
    part.append(items);
    return part;
  }
  const spelt = (index) => data.names[index].join(" ");
  function compare() {
    const one = releases.get(a.value), two = releases.get(b.value);
    const left = data.surfaces[one.surface], right = data.surfaces[two.surface];
    // The values of a field that itself came or went are said with it.
    const only = (these, those) => {
      const names = Object.keys(these).filter((index) => !(index in those)).map((index) => data.names[index]);
      const fields = new Set(names.filter(([kind]) => kind === "field").map(([, name]) => name));
      return names.filter(([kind, name]) => kind !== "value" || !fields.has(name.split("=")[0]))
        .map((name) => name.join(" "));
    };
    const changed = Object.keys(left).filter((index) => index in right && left[index] !== right[index])
      .map((index) => `${spelt(index)}: ${left[index]} in ${a.value}, ${right[index]} in ${b.value}`);
    const came = only(right, left), went = only(left, right);
    const unread = [[a.value, one], [b.value, two]].filter(([, release]) => !release.read).map(([version]) => version);
    const total = came.length + went.length + changed.length;
    const sum = total ? `${total} ${total === 1 ? "difference" : "differences"} between ${a.value} and ${b.value}.`
      : `${a.value} and ${b.value} state the same.`;
    place.replaceChildren(element("p", sum),
      list(`Only in ${b.value}`, came), list(`Only in ${a.value}`, went), list("Different", changed));
    if (unread.length) place.append(element("p", `Not read itself: ${unread.join(", ")}.`));
  }
  byId("comparison").addEventListener("submit", (event) => event.preventDefault());
  a.addEventListener("change", compare);
  b.addEventListener("change", compare);

  byId("filter").hidden = false;
  byId("comparison").hidden = false;
  filter();
  compare();
})();
