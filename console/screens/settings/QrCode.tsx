import encode from 'qr'

/** Modules of quiet around the code (ISO/IEC 18004). */
const QUIET_ZONE_MODULES = 4

/** A QR code, dark on light in both schemes, as readers want it. */
export default function QrCode({ value, label }: { value: string; label: string }) {
  const modules = encode(value, 'raw', { border: QUIET_ZONE_MODULES })
  const size = modules.length
  const path = modules.flatMap((line, y) => line.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width={208}
      height={208}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
