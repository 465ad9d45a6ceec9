/** A share as a percentage. Some are never shown as none, and not all never as all: 99.9% and <0.1% say that. */
export function formatShare(tag: string, share: number, digits: number): string {
  const percentFormat = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: digits })
  const smallestShare = 10 ** -(digits + 2)
  // Axes have round values.
  if (digits === 0) return percentFormat.format(share)
  if (share > 0 && share < smallestShare) return `<${percentFormat.format(smallestShare)}`
  if (share < 1 && share > 1 - smallestShare) return percentFormat.format(1 - smallestShare)
  return percentFormat.format(share)
}
