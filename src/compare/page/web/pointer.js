// Pointers on the canvas: one pans, two pinch, a click holds a pixel, the wheel zooms; the wipe's handle.

const pointers = new Map();
let gesture = null;

function local(event) {
  const box = $.stage.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

function pointerDown(event) {
  if (event.button > 1 || event.target === $.wipe || !stage.source) return;
  $.canvas.setPointerCapture?.(event.pointerId);
  pointers.set(event.pointerId, local(event));
  gesture = { start: local(event), moved: pointers.size > 1, ...pinchOf() };
}

function pinchOf() {
  if (pointers.size !== 2) return {};
  const [a, b] = [...pointers.values()];
  return { distance: Math.hypot(a[0] - b[0], a[1] - b[1]), middle: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] };
}

function pointerMove(event) {
  if (!stage.source) return;
  const now = local(event);
  const before = pointers.get(event.pointerId);
  if (!before) return hover(now);
  pointers.set(event.pointerId, now);
  if (pointers.size === 2) return pinch();
  if (!gesture.moved && Math.hypot(now[0] - gesture.start[0], now[1] - gesture.start[1]) < 4) return;
  gesture.moved = true;
  stage.pan(now[0] - before[0], now[1] - before[1]);
}

function pinch() {
  const next = pinchOf();
  if (gesture.distance > 0 && next.distance > 0) {
    stage.zoomTo((stage.zoom() * next.distance) / gesture.distance, ...next.middle);
    stage.pan(next.middle[0] - gesture.middle[0], next.middle[1] - gesture.middle[1]);
  }
  Object.assign(gesture, next, { moved: true });
}

function pointerUp(event) {
  if (!pointers.delete(event.pointerId)) return;
  if (event.type === "pointerup" && !gesture.moved) pin(local(event));
}

function hover(point) {
  if (V.pinned) return;
  const at = stage.at(...point);
  V.cursor = at && inside(Math.floor(at[0]), Math.floor(at[1]));
  stage.draw();
}

function inside(x, y) {
  const { width, height } = stage.aov.page;
  return x >= 0 && y >= 0 && x < width && y < height ? [x, y] : null;
}

/** Holds the pixel that was clicked, or lets go of it. */
function pin(point) {
  const at = stage.at(...point);
  const pixel = at && inside(Math.floor(at[0]), Math.floor(at[1]));
  const same = V.pinned && pixel && pixel[0] === V.cursor?.[0] && pixel[1] === V.cursor?.[1];
  V.pinned = Boolean(pixel) && !same;
  V.cursor = pixel;
  stage.draw();
  changed("cursor");
}

function wheel(event) {
  if (!stage.source) return;
  event.preventDefault();
  const lines = event.deltaMode === 1 ? 30 : 1;
  const step = -event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0025);
  stage.zoomTo(stage.zoom() * 2 ** Math.max(-1, Math.min(1, step)), ...local(event));
}

function setWipe(fraction) {
  V.wipe = Math.max(0, Math.min(1, fraction));
  stage.draw();
}

function listenStage() {
  $.stage.addEventListener("pointerdown", pointerDown);
  $.stage.addEventListener("pointermove", pointerMove);
  $.stage.addEventListener("pointerup", pointerUp);
  $.stage.addEventListener("pointercancel", pointerUp);
  $.stage.addEventListener("wheel", wheel, { passive: false });
  $.stage.addEventListener("dblclick", (event) => stage.source && stage.zoomTo(stage.zoom() * 4, ...local(event)));
  $.wipe.addEventListener("pointerdown", (event) => { $.wipe.setPointerCapture(event.pointerId); event.stopPropagation(); });
  $.wipe.addEventListener("pointermove", (event) => {
    if ($.wipe.hasPointerCapture(event.pointerId)) setWipe(local(event)[0] / stage.size[0]);
    event.stopPropagation();
  });
  $.wipe.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -0.02, ArrowRight: 0.02, Home: -1, End: 1 }[event.key];
    if (!step) return;
    setWipe(V.wipe + step);
    event.preventDefault();
    event.stopPropagation();
  });
  new ResizeObserver(() => stage.draw()).observe($.stage);
}
