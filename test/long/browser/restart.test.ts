import assert from 'node:assert/strict'
import { after, suite } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { addAccountMember, createUser } from '../../../src/features/people/people.ts'
import { createPasswordHasher } from '../../../src/features/people/sign-in/passwords.ts'
import { findFreePort } from '../../../src/lib/net/free-port.ts'
import { browserForFile, test } from '../../support/browser/launch.ts'
import { longWorkflow } from '../../support/browser/steps/workflows.ts'
import { openWindow, type Window } from '../../support/browser/windows.ts'
import { prepareService } from '../../support/processes/process.ts'

const EMAIL = 'ann@orchard.example'
const PASSWORD = 'apples and pears and plums'
/** The process starts beside a browser on a machine that others use, too. */
const PATIENCE_MS = 90_000

const browser = browserForFile()
const port = String(await findFreePort())
const url = `http://localhost:${port}`
const service = await prepareService({ after }, { STENTOR_HTTP_PORT: port, STENTOR_PUBLIC_URL: url })
await service.start()
const { call } = service

/** Opens a path of the account as a person with all rights. */
async function opened(path: string): Promise<Pick<Window, 'context' | 'page' | 'complaints'>> {
  const { context, page, complaints } = await openWindow(await browser())
  page.setDefaultTimeout(PATIENCE_MS)
  const answer = await context.request.post(`${url}/auth/sign-in`, {
    data: { email: EMAIL, password: PASSWORD },
    headers: { origin: url },
  })
  assert.ok(answer.ok(), await answer.text())
  await page.goto(`${url}/console/${code}${path}`)
  return { context, page, complaints }
}

const code = await person()

/** Makes the person in the first account; gives its code. */
async function person(): Promise<string> {
  const { db } = service.database
  const { id, agency, customer } = await db
    .selectFrom('accounts')
    .select(['id', 'agency', 'customer'])
    .executeTakeFirstOrThrow()
  const now = new Date()
  const password = await createPasswordHasher().hash(PASSWORD)
  const person = { email: EMAIL, name: 'Ann Orchard', locale: 'en' as const, password, emailConfirmed: true }
  await addAccountMember(db, { account: id, person: await createUser(db, person, now), role: 'admin' }, now)
  return `${agency}${customer}`
}

interface Edited {
  path: string
  /** The field that is written into, and the text. */
  field(page: Page): Locator
  text: string
  /** What is stored of it. */
  stored(): Promise<unknown>
  was: unknown
  is: unknown
}

const pages: Record<string, () => Promise<Edited>> = {
  message: async () => {
    await call('POST', '/fields', { type: 'phone', name: 'Mobile' })
    const { id } = await call('POST', '/actions', {
      type: 'smsMessage',
      name: 'Before',
      content: { textContent: 'Hi' },
    })
    return {
      path: `/messages/sms/${id}`,
      field: (page) => page.getByLabel('Name', { exact: true }),
      text: 'After',
      stored: async () => (await call('GET', `/actions/${id}`)).name,
      was: 'Before',
      is: 'After',
    }
  },
  workflow: async () => {
    const { id } = await call('POST', '/scripting/workflows', { name: 'Before', nodes: longWorkflow(4) })
    return {
      path: `/workflows/${id}?node=step-1`,
      field: (page) => page.getByLabel('Time', { exact: true }),
      text: '9',
      stored: async () => (await call('GET', `/scripting/workflows/${id}`)).nodes[1].settings.period.value,
      was: (await call('GET', `/scripting/workflows/${id}`)).nodes[1].settings.period.value,
      is: 9,
    }
  },
  script: async () => {
    const { id } = await call('POST', '/scripting/webtasks', { name: 'Before', value: 'export default () => 1' })
    return {
      path: `/webtasks/${id}`,
      field: (page) => page.getByRole('textbox', { name: 'Script', exact: true }),
      text: 'export default () => 2',
      stored: async () => (await call('GET', `/scripting/webtasks/${id}`)).value,
      was: 'export default () => 1',
      is: 'export default () => 2',
    }
  },
}

suite('console during a service restart', { concurrency: false }, () => {
  for (const [name, prepare] of Object.entries(pages))
    test(`a ${name} being edited reports the outage, loses nothing and can be saved afterwards`, async () => {
      const { path, field, text, stored, was, is } = await prepare()
      const { context, page, complaints } = await opened(path)
      const save = page.getByRole('button', { name: 'Save', exact: true })
      await page.getByRole('heading', { level: 1, name: 'Before' }).waitFor()
      // Parts of a page are loaded when they are shown first.
      await field(page).waitFor()
      await page.waitForLoadState('networkidle')
      await service.end('SIGTERM')
      await field(page).fill(text)
      await save.click()
      await page.getByText('The service is not responding').waitFor()
      await page.getByRole('alert').first().waitFor()
      await service.start()
      await page.getByText('The service is not responding').waitFor({ state: 'hidden' })
      assert.equal(await stored(), was)
      await save.click()
      await save.waitFor({ state: 'detached' })
      assert.equal(await stored(), is)
      // What is asked for after the restart is answered, too.
      await page.goto(`${url}/console/${code}${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      assert.deepEqual(complaints, [])
      await context.close()
    })
})
