import assert from "node:assert/strict";
import { logPlotSvg } from "../../bench/log_plot.ts";

const svg = logPlotSvg("a & b", [{
  title: "times <now>",
  xLabel: "leaves",
  yLabel: "ms",
  series: [
    { name: 'flat & "quoted"', points: [[1e5, 2], [1e6, 2], [1e7, 2]] },
    { name: "steep", points: [[1e5, 0.01], [1e6, 0.1], [1e7, 1], [0, 1], [1e6, -1]] },
  ],
}, { title: "empty", xLabel: "x", yLabel: "y", series: [{ name: "none", points: [] }] }]);

/** Coordinates of the points of a plot, in the order of its lines. */
function circlesOf(text: string): number[][] {
  return [...text.matchAll(/<circle cx="([0-9.]+)" cy="([0-9.]+)"/g)]
    .map(([, cx, cy]) => [Number(cx), Number(cy)]);
}

/** Throws where a document of elements, attributes and escaped text has a fault. */
function checkWellFormed(text: string): void {
  const open: string[] = [];
  const token =
    /<(\/?)([a-z]+)((?: [a-zA-Z0-9:-]+="[^"<&]*")*)(\/?)>|([^<>&]|&(?:amp|lt|gt|quot);)+/gy;
  let at = 0;
  while (at < text.length) {
    token.lastIndex = at;
    const [whole, end, name, , empty] = token.exec(text) ?? assert.fail(`a fault at ${at}`);
    if (name !== undefined && end !== "") assert.equal(open.pop(), name);
    else if (name !== undefined && empty === "") open.push(name);
    at += whole.length;
  }
  assert.deepEqual(open, []);
}

Deno.test("a plot is a well-formed document", () => {
  checkWellFormed(svg);
  assert.throws(() => checkWellFormed(svg.replace("&amp;", "&")));
  assert.throws(() => checkWellFormed(svg.replace("</g>", "")));
});

Deno.test("points are placed by their logarithms", () => {
  const circles = circlesOf(svg);
  assert.equal(circles.length, 6, "what has no logarithm is left out");
  const [flat, steep] = [circles.slice(0, 3), circles.slice(3)];
  for (const line of [flat, steep]) {
    const [first, second, third] = line.map(([x]) => x!);
    assert.ok(Math.abs((second! - first!) - (third! - second!)) < 0.02 && second! > first!);
  }
  assert.ok(flat.every(([, y]) => y === flat[0]![1]));
  const [low, middle, high] = steep.map(([, y]) => y!);
  assert.ok(Math.abs((low! - middle!) - (middle! - high!)) < 0.02 && low! > middle!, "up is less");
  // 2 lies between 1 and 10 where log10(2) does.
  const decade = middle! - high!;
  assert.ok(Math.abs((high! - flat[0]![1]!) / decade - Math.log10(2)) < 0.001);
});
