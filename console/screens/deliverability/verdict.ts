/** Thresholds of large providers: Gmail and Yahoo require less than 0.1% complaints and never 0.3%; bounces above 2% attract attention. */
export const DELIVERABILITY_LIMITS = {
  complaints: { watch: 0.001, bad: 0.003 },
  bounces: { watch: 0.02, bad: 0.05 },
} as const

/** Fewer messages, or a single reaction, say nothing about a provider. */
const MIN_MESSAGES = 20
const MIN_REACTIONS = 2

export interface JudgedFigures {
  destination: string | null
  sent: number
  refused: number
  bounces: { hard: number; soft: number }
  complaints: number
  bounceRate: number | null
  complaintRate: number | null
}

export interface DeliverabilityVerdict {
  level: 'bad' | 'watch' | 'good' | 'few'
  /** The figure that is furthest above its limit; null where none is. */
  cause: { of: keyof typeof DELIVERABILITY_LIMITS; rate: number; limit: number } | null
}

/** Judges how mail fares at a provider by the limits of large ones. */
export function judgeDestination(row: JudgedFigures): DeliverabilityVerdict {
  if (row.sent + row.refused < MIN_MESSAGES) return { level: 'few', cause: null }
  const measures = [
    { of: 'complaints' as const, rate: row.complaintRate ?? 0, count: row.complaints },
    { of: 'bounces' as const, rate: row.bounceRate ?? 0, count: row.bounces.hard + row.refused },
  ].filter(({ count }) => count >= MIN_REACTIONS)
  for (const level of ['bad', 'watch'] as const) {
    const [worst] = measures
      .map(({ of, rate }) => ({ of, rate, limit: DELIVERABILITY_LIMITS[of][level] }))
      .filter(({ rate, limit }) => rate >= limit)
      .sort((a, b) => b.rate / b.limit - a.rate / a.limit)
    if (worst) return { level, cause: worst }
  }
  return { level: 'good', cause: null }
}

/** How far a provider is above its limits: 1 is at the limit. */
function measureExcess({ complaintRate, bounceRate }: JudgedFigures): number {
  const { complaints, bounces } = DELIVERABILITY_LIMITS
  return Math.max((complaintRate ?? 0) / complaints.bad, (bounceRate ?? 0) / bounces.bad)
}

const LEVEL_ORDER: readonly DeliverabilityVerdict['level'][] = ['bad', 'watch', 'good', 'few']

/** Providers with their verdicts, worst first, then by volume. */
export function rankDestinations<R extends JudgedFigures>(
  rows: readonly R[],
): { row: R; verdict: DeliverabilityVerdict }[] {
  return rows
    .map((row) => ({ row, verdict: judgeDestination(row) }))
    .sort(
      (a, b) =>
        LEVEL_ORDER.indexOf(a.verdict.level) - LEVEL_ORDER.indexOf(b.verdict.level) ||
        (a.verdict.cause ? measureExcess(b.row) - measureExcess(a.row) : b.row.sent - a.row.sent),
    )
}
