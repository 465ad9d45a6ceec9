/** The mark of the program. */
export function ProductLogo({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden>
      <rect width="32" height="32" rx="7" fill="var(--accent-fill)" />
      <path
        d="M9 13.5v5h3.2l6.3 4.3V9.2L12.2 13.5zM21.8 12.4c1.3.9 2 2.1 2 3.6s-.7 2.7-2 3.6"
        fill="none"
        stroke="#fff"
        strokeWidth="2.2"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  )
}
