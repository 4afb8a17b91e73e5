// Plays the game that the page holds: shows, hides and moves what is already drawn.
"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const SVG = "http://www.w3.org/2000/svg";
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  // Seconds: a tile appears, a stone passes a square (but the longest walk takes no more than
  // LONGEST), somebody goes out, the next move waits.
  const APPEAR = 0.25, PER_SQUARE = 0.24, LONGEST = 2.6, LEAVE = 0.35, DWELL = calm ? 0.9 : 0.45;

  const game = JSON.parse(byId("game").textContent);
  const { players, frames, cell } = game; // a square of the drawing is `cell` wide
  const last = frames.length - 1;
  const board = byId("board");
  const stones = all(".stone");
  const laid = all(".laid").map((node) => ({ node, frame: +node.dataset.frame }));
  const walks = all(".walk").map(readWalk);
  const walksOf = frames.map((_, number) => walks.filter((walk) => walk.frame === number));
  const sharedLines = findSharedLines();

  let index = 0;      // the move shown
  let time = 0;       // seconds since it began; at its duration it is all done
  let mode = "still"; // or "play", or "step": play to the end of this move
  let speed = 1;
  let clock = null;   // when the last picture was drawn, while something moves
  let shown = "";     // which move is on the page, and whether done, to leave alone what is right

  // ---- reading what is drawn

  function readWalk(node) {
    const { frame, player, steps } = node.dataset;
    const drawn = node.querySelectorAll(".step");
    const walk = { node, frame: +frame, player: +player, steps: [], length: 0, layer: 0 };
    steps.split(" ").forEach((text, number) => {
      const [x, y, enter, leave] = text.split(",").map(Number);
      const [casing, line] = drawn[number].children;
      const length = casing.getTotalLength() / cell;
      const key = [x, y, Math.min(enter, leave)].join();
      const path = line.getAttribute("d");
      walk.steps.push({ walk, key, casing, line, path, length, backwards: enter > leave });
      walk.length += length;
    });
    return walk;
  }

  // The lines that several will have walked in the end.
  function findSharedLines() {
    const lines = new Map();
    for (const step of walks.flatMap((walk) => walk.steps)) {
      lines.set(step.key, [...(lines.get(step.key) || []), step]);
    }
    return [...lines.values()].filter((steps) => steps.length > 1);
  }

  function make(name, attributes, parent) {
    const svg = ["svg", "use"].includes(name);
    const node = svg ? document.createElementNS(SVG, name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    parent.append(node);
    return node;
  }

  // ---- how it stands after a move

  const isOver = (number) => game.finished && number === last;
  const isOut = (player, number) => player.out !== null && player.out <= number;
  const isBeaten = (player, number) =>
    isOut(player, number) && !(isOver(number) && player.rank === 1);

  // ---- how long a move takes

  const before = (number) => frames[Math.max(0, number - 1)];
  const stood = (player, number) => before(number).stones.some((stone) => stone[0] === player);
  const leaving = (number) => players.some((player) => player.out === number);
  const moving = (number) => walksOf[number].filter((walk) => stood(walk.player, number));
  const longest = (number) => Math.max(0, ...moving(number).map((walk) => walk.length));
  const pace = (number) => Math.min(PER_SQUARE, LONGEST / longest(number)); // per square

  function duration(number) {
    if (calm || number === 0) return 0;
    const walking = longest(number) && longest(number) * pace(number);
    return APPEAR + walking + (leaving(number) ? LEAVE : 0);
  }

  // ---- the picture

  function dash(step, dashes) {
    for (const path of [step.casing, step.line]) {
      for (const [name, value] of Object.entries(dashes)) {
        if (value === null) path.removeAttribute(name);
        else path.setAttribute(name, value);
      }
    }
  }

  const WHOLE = { pathLength: null, "stroke-dasharray": null, "stroke-dashoffset": null };

  // A part of a step, from the end that it was entered at.
  function reveal(step, share) {
    const dashes = step.backwards ? `0 ${1 - share} ${share} 1` : `${share} 2`;
    dash(step, share < 1 ? { ...WHOLE, pathLength: 1, "stroke-dasharray": dashes } : WHOLE);
    step.casing.parentNode.style.display = share > 0 ? "" : "none";
  }

  function revealWalk(walk, length) {
    for (const step of walk.steps) {
      reveal(step, Math.min(1, Math.max(0, length / step.length)));
      length -= step.length;
    }
  }

  // The trails of the beaten lie under the others.
  function drawLayers(number) {
    const over = (walk) => (isBeaten(players[walk.player], number) ? 0 : 1);
    const ordered = [...walks].sort((a, b) => over(a) - over(b) || a.frame - b.frame);
    if (ordered.every((walk, layer) => walk.layer === layer)) return;
    ordered.forEach((walk, layer) => { walk.layer = layer; });
    byId("trails").append(...ordered.map((walk) => walk.node));
  }

  // Everybody who has walked a line by now gets a share of stripes; the lowest lies whole.
  function drawStripes(number) {
    for (const line of sharedLines) {
      const walked = line.filter((step) => step.walk.frame <= number)
        .sort((a, b) => a.walk.layer - b.walk.layer);
      const parts = walked.length;
      walked.forEach((step, part) => {
        dash(step, part === 0 ? WHOLE : {
          pathLength: parts * Math.max(1, Math.round(step.length / (game.stripe * parts))),
          "stroke-dasharray": `1 ${parts - 1}`,
          "stroke-dashoffset": -part,
        });
        // A line is a little longer than its casing, but their stripes must be the same.
        step.line.setAttribute("d", part === 0 ? step.path : step.casing.getAttribute("d"));
      });
    }
  }

  function pointOn(walk, length) {
    for (const step of walk.steps) {
      if (length <= step.length || step === walk.steps.at(-1)) {
        const along = Math.min(length, step.length);
        return step.casing.getPointAtLength(cell * (step.backwards ? step.length - along : along));
      }
      length -= step.length;
    }
  }

  function placeStone(player, x, y, opacity) {
    const stone = stones[player];
    stone.removeAttribute("hidden");
    stone.setAttribute("transform", `translate(${x} ${y})`);
    stone.setAttribute("opacity", opacity);
  }

  function drawStanding(frame) {
    for (const stone of stones) stone.setAttribute("hidden", "");
    for (const [player, x, y] of frame.stones) placeStone(player, x, y, 1);
  }

  function drawFaced(frame, mover) {
    byId("faced").replaceChildren();
    for (const [x, y, who] of frame.faced) {
      const href = who.includes(mover) ? `#target-${mover}` : `#faced-${who[0]}`;
      make("use", { href, x, y }, byId("faced"));
    }
  }

  function drawArrows(frame) {
    byId("arrows").replaceChildren();
    for (const [player, , , arrow] of frame.stones) {
      if (!arrow) continue;
      const [x, y, dx, dy] = arrow;
      const transform = `matrix(${dx} ${dy} ${-dy} ${dx} ${x} ${y})`; // right becomes (dx, dy)
      make("use", { href: `#arrow-${player}`, transform }, byId("arrows"));
    }
  }

  // What has been laid and walked up to a move; the move itself is drawn by drawMoment.
  function drawBoard(done) {
    for (const { node, frame } of laid) {
      node.style.display = frame <= index ? "" : "none";
      node.setAttribute("opacity", 1);
    }
    for (const walk of walks) {
      walk.node.style.display = walk.frame <= index ? "" : "none";
      walk.node.setAttribute("opacity", 1);
      revealWalk(walk, Infinity);
    }
    drawLayers(done ? index : index - 1);
    drawStripes(done ? index : index - 1);
    drawStanding(done ? frames[index] : before(index));
    drawFaced(done ? frames[index] : before(index), frames[index].mover);
    drawArrows(done ? frames[index] : { stones: [] });
  }

  // A moment in the middle of a move: the tile appears, then the stones walk, then some go out.
  function drawMoment() {
    const now = frames[index];
    const appear = Math.min(1, time / APPEAR);
    const walked = Math.max(0, time - APPEAR) / pace(index);
    const gone = Math.max(0, 1 - (duration(index) - time) / LEAVE);
    for (const { node, frame } of laid) if (frame === index) node.setAttribute("opacity", appear);
    for (const [player, x, y] of now.stones) {
      if (!stood(player, index)) placeStone(player, x, y, appear);
    }
    const taken = [];
    for (const walk of walksOf[index]) {
      if (!stood(walk.player, index)) {
        walk.node.setAttribute("opacity", appear);
        continue;
      }
      revealWalk(walk, walked);
      let at = pointOn(walk, walked);
      // Who walks the same way as somebody else keeps a little behind, to be seen.
      const behind = taken.filter((other) => Math.hypot(other.x - at.x, other.y - at.y) < 0.1).length;
      taken.push(at);
      if (behind) at = pointOn(walk, Math.max(0, walked - game.stack * behind));
      placeStone(walk.player, at.x, at.y, 1);
    }
    players.forEach((player, number) => {
      if (player.out === index) stones[number].setAttribute("opacity", 1 - gone);
    });
  }

  function draw() {
    const done = time >= duration(index);
    if (shown !== `${index} ${done}`) {
      shown = `${index} ${done}`;
      drawBoard(done);
      write(done);
    }
    if (!done) drawMoment();
  }

  // ---- the words

  function words(parent, name, text) {
    const node = make("span", { class: name }, parent);
    node.textContent = text;
    return node;
  }

  function writeHand(frame) {
    const hand = byId("hand");
    hand.replaceChildren();
    hand.classList.toggle("waiting", frame.chosen === null);
    frame.hand.forEach(({ index: number, tile, degrees }, slot) => {
      const chosen = slot === frame.chosen;
      const item = make("li", chosen ? { class: "chosen" } : {}, hand);
      const svg = make("svg", { viewBox: `0 0 ${cell} ${cell}`, "aria-hidden": "true" }, item);
      make("use", { href: `#${tile}` }, svg);
      if (chosen) svg.style.setProperty("--chosen", players[frame.mover].trail[0]);
      words(item, "label", chosen ? `${number} at ${degrees}°` : `${number}`)
        .setAttribute("aria-label", chosen ? `tile ${number}, chosen, turned by ${degrees}°` : `tile ${number}`);
    });
  }

  // Fates and ranks are told when the move is over.
  function writePlayers(number) {
    all("#players li").forEach((item, seat) => {
      const { fate, rank, trail, faded } = players[seat];
      const gone = isOut(players[seat], number), beaten = isBeaten(players[seat], number);
      const place = isOver(number) && rank !== null ? `${rank}` : "";
      item.classList.toggle("mover", seat === frames[index].mover && !isOver(number));
      item.classList.toggle("out", beaten);
      item.classList.toggle("winner", place === "1");
      item.querySelector(".fate").textContent = gone ? fate : "";
      item.querySelector(".rank").textContent = place;
      item.querySelector(".rank").setAttribute("aria-label", place ? `rank ${place}` : "");
      const [fill, edge] = beaten ? faded : trail;
      board.style.setProperty(`--fill-${seat}`, fill);
      board.style.setProperty(`--edge-${seat}`, edge);
    });
  }

  function write(done) {
    const frame = frames[index];
    byId("caption").textContent = frame.caption;
    byId("caption").setAttribute("aria-live", mode === "play" ? "off" : "polite");
    board.setAttribute("aria-label", `The board. ${frame.caption}`);
    byId("scrub").value = index;
    byId("scrub").setAttribute("aria-valuetext", `Move ${index} of ${last}: ${frame.caption}`);
    byId("position").textContent = `${index} / ${last}`;
    byId("first").disabled = byId("back").disabled = index === 0;
    byId("forward").disabled = byId("last").disabled = index === last;
    writeHand(frame);
    writePlayers(done ? index : index - 1);
  }

  function writeOnce() {
    byId("summary").textContent = game.summary;
    byId("scrub").max = last;
    players.forEach((player, seat) => {
      const item = make("li", { "data-color": player.color }, byId("players"));
      const view = [-0.23, -0.23, 0.46, 0.46].map((share) => share * cell).join(" ");
      const token = make("svg", { class: "token", viewBox: view, role: "img" }, item);
      token.setAttribute("aria-label", player.color);
      token.append(stones[seat].firstElementChild.cloneNode(true));
      const who = make("span", { class: "who" }, item);
      words(who, "name", player.name);
      words(who, "fate", "");
      words(item, "rank", "");
    });
  }

  // ---- the time

  function tick(now) {
    time += clock === null ? 0 : Math.min(0.1, (now - clock) / 1000) * speed;
    clock = now;
    const end = duration(index);
    if (mode === "play" && time >= end + DWELL && index < last) { index += 1; time = 0; }
    else if (time >= end && (mode === "step" || index === last)) setMode("still");
    draw();
    if (mode === "still") clock = null;
    else requestAnimationFrame(tick);
  }

  function setMode(wanted) {
    const idle = mode === "still" && clock === null;
    mode = wanted;
    document.body.classList.toggle("playing", mode === "play");
    byId("play").setAttribute("aria-label", mode === "play" ? "Pause" : "Play");
    if (mode !== "still" && idle) requestAnimationFrame(tick);
  }

  function show(number) {
    setMode("still");
    index = Math.min(last, Math.max(0, number));
    time = duration(index);
    draw();
  }

  function play() {
    if (mode === "play") { setMode("still"); return; }
    if (index === last && time >= duration(last)) { index = 0; time = 0; }
    setMode("play");
  }

  function forward() {
    if (index === last) { show(last); return; }
    index += 1;
    time = 0;
    draw();
    setMode("step");
  }

  function keyed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const on = event.target.tagName;
    if (on === "SELECT" || (on === "INPUT" && event.key !== " ")) return;
    if (event.key === " " && on === "BUTTON") return;
    const action = {
      " ": play, ArrowRight: forward, ArrowLeft: () => show(index - 1),
      Home: () => show(0), End: () => show(last),
    }[event.key];
    if (action) { event.preventDefault(); action(); }
  }

  byId("play").addEventListener("click", play);
  byId("forward").addEventListener("click", forward);
  byId("back").addEventListener("click", () => show(index - 1));
  byId("first").addEventListener("click", () => show(0));
  byId("last").addEventListener("click", () => show(last));
  byId("scrub").addEventListener("input", (event) => show(+event.target.value));
  byId("speed").addEventListener("change", (event) => { speed = +event.target.value; });
  document.addEventListener("keydown", keyed);
  writeOnce();
  show(0);
})();
