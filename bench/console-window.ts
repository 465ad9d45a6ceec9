import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { openDatabasePool } from '../src/database/connection/connect.ts'
import { addAccountMember, createUser } from '../src/features/people/people.ts'
import { createPasswordHasher } from '../src/features/people/sign-in/passwords.ts'
import { findBrowser } from '../test/fakes/web/browser.ts'
import type { BenchService } from './service.ts'

const PASSWORD = 'apples and pears and plums'
const EMAIL = 'ann@orchard.example'
const VIEWPORT = { width: 1280, height: 900 }

/** A browser in which a person with all rights is signed in to the service's first account. */
export interface ConsoleWindow {
  context: BrowserContext
  page: Page
  /** Where a path of the account is: `/contacts`. */
  addressOf(path: string): string
  close(): Promise<void>
}

/** Makes the person; gives the code of the account. */
async function makePerson({ databaseUrl, account }: BenchService): Promise<string> {
  const { db, pool, close } = openDatabasePool(databaseUrl, { max: 1 })
  try {
    const now = new Date()
    const password = await createPasswordHasher().hash(PASSWORD)
    const person = { email: EMAIL, name: 'Ann Orchard', locale: 'en' as const, password, emailConfirmed: true }
    await addAccountMember(db, { account, person: await createUser(db, person, now), role: 'admin' }, now)
    const { rows } = await pool.query<{ code: string }>(
      'select agency || customer as code from accounts where id = $1',
      [account],
    )
    return rows[0]!.code
  } finally {
    await close()
  }
}

/** Starts the machine's Chromium with an empty profile, and signs in. Throws where none is installed. */
export async function openConsole(service: BenchService): Promise<ConsoleWindow> {
  const executablePath = findBrowser()
  if (!executablePath) throw new Error('no Chromium is installed: apt-get install chromium')
  const { url } = service.client
  const code = await makePerson(service)
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const context = await browser.newContext({ viewport: VIEWPORT, locale: 'en-GB', timezoneId: 'Europe/Paris' })
    const answer = await context.request.post(`${url}/auth/sign-in`, {
      data: { email: EMAIL, password: PASSWORD },
      headers: { origin: url },
    })
    if (!answer.ok()) throw new Error(`sign-in: ${answer.status()} ${await answer.text()}`)
    const page = await context.newPage()
    return {
      context,
      page,
      addressOf: (path) => `${url}/console/${code}${path}`,
      close: () => browser.close(),
    }
  } catch (error) {
    await browser.close()
    throw error
  }
}
