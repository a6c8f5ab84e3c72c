/**
 * A QR code, black on white in every theme, with the quiet zone that scanners need.
 *
 * @module
 */

import encodeQR from "qr";

/** Modules of the quiet zone (ISO/IEC 18004 section 6.3.8). */
const BORDER = 4;

interface QrCodeProps {
  readonly text: string;
  /** The accessible name. */
  readonly label: string;
}

export function QrCode({ text, label }: QrCodeProps) {
  const rows = encodeQR(text, "raw", { border: BORDER });
  const path = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => isDark ? `M${x} ${y}h1v1h-1z` : [])
  )
    .join("");
  return (
    <svg
      class="qr-code"
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <rect fill="#fff" width={rows.length} height={rows.length} />
      <path fill="#000" d={path} />
    </svg>
  );
}
