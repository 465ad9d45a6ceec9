import type { Page } from 'playwright-core'

const HOURS = { unit: 'HOUR', value: 1 }

/** Steps one behind the other: pauses, an event of its own in each tenth, and a choice between. */
export function longWorkflow(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, n) => {
    const common = { id: `step-${n}`, name: `Step ${n}`, ...(n === 0 && { default: true }) }
    const next = n + 1 < count ? `step-${n + 1}` : null
    if (next === null) return { ...common, type: 'terminal', settings: { outcome: 'done' } }
    if (n % 10 === 3) return { ...common, type: 'publish', event: `step.${n}`, settings: {}, next }
    if (n % 10 !== 5) return { ...common, type: 'sleep', settings: { period: HOURS }, next }
    const ways = Object.fromEntries([
      ['then', next],
      ['else', `step-${Math.min(n + 3, count - 1)}`],
    ])
    return { ...common, type: 'if', settings: { condition: { type: 'script', value: 'true' }, ...ways } }
  })
}

/** Resolves once the page changes nothing any more: some frames in a row without a change. Fails where two parts answer each other without end. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve, reject) => {
    let [quiet, frames] = [0, 0]
    const observer = new MutationObserver(() => { quiet = 0 })
    observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
    const look = () => {
      if (++quiet > 15) { observer.disconnect(); return resolve() }
      if (++frames > 900) return reject(new Error('the page never comes to rest'))
      requestAnimationFrame(look)
    }
    look()
  })`)
}
