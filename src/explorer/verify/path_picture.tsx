/**
 * The path from a leaf to the root of its tree, as a picture and as a list.
 *
 * @module
 */

import { HashText } from "../components/hash_text.tsx";
import { countText, plural } from "../text.ts";
import type { PathStep } from "./proof_path.ts";

const WIDTH = 360;
const BOX = { width: 104, height: 26 };
const CENTRE = WIDTH / 2;
const SIDE = { left: BOX.width / 2 + 2, right: WIDTH - BOX.width / 2 - 2 };
const PITCH = 50;
const SHOWN_DIGITS = 8;

interface PathPictureProps {
  /** The kind of tree. */
  readonly tree: "log" | "round";
  readonly leafHash: string;
  readonly index: number;
  readonly size: number;
  readonly steps: readonly PathStep[];
  /** Whether the path leads to a signed root. */
  readonly isVerified: boolean;
}

/** The leaf is at the bottom, the root at the top, siblings at the sides. */
export function PathPicture(props: PathPictureProps) {
  const { tree, leafHash, index, size, steps, isVerified } = props;
  const height = steps.length * PITCH + BOX.height + 4;
  const yOf = (level: number) => height - 2 - BOX.height / 2 - level * PITCH;
  const summary = `Leaf ${countText(index)} of the ${tree} of ${plural(size, "leaf", "leaves")}: ` +
    `${plural(steps.length, "step")} up to the root, which is ${isVerified ? "" : "not "}verified`;
  return (
    <figure class="path">
      <figcaption>{summary}.</figcaption>
      <svg
        class={`path-picture ${isVerified ? "path-verified" : "path-unverified"}`}
        viewBox={`0 0 ${WIDTH} ${height}`}
        role="img"
        aria-label={summary}
      >
        {steps.map((step, i) => <Edges key={i} side={step.side} from={yOf(i)} to={yOf(i + 1)} />)}
        {steps.map((step, i) => (
          <Node key={i} x={SIDE[step.side]} y={yOf(i)} hash={step.sibling} style="path-sibling" />
        ))}
        {steps.map((step, i) => (
          <Node
            key={i}
            x={CENTRE}
            y={yOf(i + 1)}
            hash={step.node}
            style={i === steps.length - 1 ? "path-root" : "path-node"}
          />
        ))}
        <Node
          x={CENTRE}
          y={yOf(0)}
          hash={leafHash}
          style={steps.length === 0 ? "path-root" : "path-leaf"}
        />
      </svg>
      <details>
        <summary>The path as text</summary>
        <PathList leafHash={leafHash} steps={steps} />
      </details>
    </figure>
  );
}

function Edges({ side, from, to }: {
  readonly side: PathStep["side"];
  readonly from: number;
  readonly to: number;
}) {
  const [top, bottom] = [to + BOX.height / 2, from - BOX.height / 2];
  return (
    <g class="path-edges">
      <path d={`M${CENTRE} ${bottom}V${top}`} />
      <path class="path-edge-side" d={`M${SIDE[side]} ${bottom}V${(top + bottom) / 2}H${CENTRE}`} />
    </g>
  );
}

function Node({ x, y, hash, style }: {
  readonly x: number;
  readonly y: number;
  readonly hash: string;
  readonly style: string;
}) {
  return (
    <g class={style}>
      <rect
        x={x - BOX.width / 2}
        y={y - BOX.height / 2}
        width={BOX.width}
        height={BOX.height}
        rx={4}
      />
      <text x={x} y={y + 4} text-anchor="middle">{`${hash.slice(0, SHOWN_DIGITS)}…`}</text>
    </g>
  );
}

function PathList({ leafHash, steps }: Pick<PathPictureProps, "leafHash" | "steps">) {
  return (
    <ol class="path-list">
      <li>
        The leaf: <HashText text={leafHash} what="leaf hash" />
      </li>
      {steps.map(({ side, sibling, node }, i) => (
        <li key={i}>
          With <HashText text={sibling} /> on the {side}
          {i === steps.length - 1 ? ", the root:" : ":"} <HashText text={node} />
        </li>
      ))}
    </ol>
  );
}
