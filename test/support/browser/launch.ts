import * as nodeTest from 'node:test'
import { after } from 'node:test'
import { type Browser, chromium } from 'playwright-core'
import { browserIsMissing, findBrowser } from '../../fakes/web/browser.ts'

type Body = (t: nodeTest.TestContext) => Promise<void>

/** Registers a test that needs Chromium: without one it is skipped, and says how to install it. */
export function test(title: string, ...rest: [Body] | [nodeTest.TestOptions, Body]): void {
  const [options, body] = rest.length === 1 ? [{}, rest[0]] : rest
  nodeTest.test(title, { ...options, skip: browserIsMissing() ?? false }, body)
}

/** One Chromium for a file of tests, started at once; it ends with the file. Rejects where none is installed. */
export function browserForFile(): () => Promise<Browser> {
  const executablePath = findBrowser()
  if (!executablePath) return () => Promise.reject(new Error(browserIsMissing()))
  const launched = chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  after(async () => (await launched).close())
  // Whoever asks for it is told.
  launched.catch(() => undefined)
  return () => launched
}
