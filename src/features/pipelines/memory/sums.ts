/** Adds numbers up with the error of each step carried along (Neumaier); to 15 digits, as the database gives it. */
export interface CompensatedSum {
  add(value: unknown): void
  /** Null: it is beyond what a double holds. */
  sum(): number | null
  /** Null without numbers. */
  average(): number | null
}

function rounded(value: number): number | null {
  return Number.isFinite(value) ? Number(value.toPrecision(15)) + 0 : null
}

export function createCompensatedSum(): CompensatedSum {
  let [total, carry, count] = [0, 0, 0]
  return {
    add(value) {
      if (typeof value !== 'number') return
      const next = total + value
      carry += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total
      total = next
      count++
    },
    sum: () => rounded(total + carry),
    average: () => (count === 0 ? null : rounded((total + carry) / count)),
  }
}
