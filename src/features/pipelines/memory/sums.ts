/** Adds numbers up with the error of each step carried along (Neumaier); to 15 digits, as the database gives it. */
export interface CompensatedSum {
  add(value: unknown): void
  /** Null: it is beyond what a double holds. */
  sum(): number | null
  /** Null without numbers. */
  average(): number | null
}

function toFiniteNumber(value: number): number | null {
  return Number.isFinite(value) ? Number(value.toPrecision(15)) + 0 : null
}

export function createCompensatedSum(): CompensatedSum {
  let [total, compensation, count] = [0, 0, 0]
  return {
    add(value) {
      if (typeof value !== 'number') return
      const nextTotal = total + value
      compensation += Math.abs(total) >= Math.abs(value) ? total - nextTotal + value : value - nextTotal + total
      total = nextTotal
      count++
    },
    sum: () => toFiniteNumber(total + compensation),
    average: () => (count === 0 ? null : toFiniteNumber((total + compensation) / count)),
  }
}
