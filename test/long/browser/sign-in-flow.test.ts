import assert from 'node:assert/strict'
import { after, suite } from 'node:test'
import { TOTP, URI } from 'otpauth'
import type { BrowserContext, Page } from 'playwright-core'
import decode from 'qr/decode.js'
import { mailPasswordReset } from '../../../src/features/account-mail/people-mail.ts'
import { CLIENT, type OidcPeer, startOidcPeer } from '../../fakes/web/oidc.ts'
import { startBrowserStage } from '../../support/browser/browser-stage.ts'
import { test } from '../../support/browser/launch.ts'
import { givePassword, isIn, signOut } from '../../support/browser/steps/door.ts'

let peer!: OidcPeer
const browserStage = await startBrowserStage(async (url) => {
  peer = await startOidcPeer(`${url}/auth/oidc/callback`)
  return {
    STENTOR_OIDC_ISSUER: peer.issuer,
    STENTOR_OIDC_CLIENT_ID: CLIENT.id,
    STENTOR_OIDC_CLIENT_SECRET: CLIENT.secret,
    STENTOR_OIDC_NAME: 'Harbour',
    STENTOR_OIDC_ROLES: JSON.stringify({ marketing: ['ACME001:sender'] }),
  }
})
after(() => peer.close())
const { stage, url, window, password } = browserStage
const { context: service, clock } = stage

/** A browser whose device makes and uses passkeys as a fingerprint would. */
async function withAuthenticator(context: BrowserContext, page: Page): Promise<void> {
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const
  const isWilling = { isUserVerified: true, automaticPresenceSimulation: true }
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options: { ...options, ...isWilling } })
}

/** Side of the picture that a code is read from, in pixels. */
const SIDE = 416

/** What a camera reads of the QR code that is shown. */
async function readCode(page: Page): Promise<string> {
  await page.getByRole('img', { name: 'QR code for the app' }).waitFor()
  const pixels = (await page.evaluate(`(async () => {
    const image = new Image()
    image.src = 'data:image/svg+xml,' + encodeURIComponent(new XMLSerializer().serializeToString(document.querySelector('svg[role=img]')))
    await image.decode()
    const paper = Object.assign(document.createElement('canvas'), { width: ${SIDE}, height: ${SIDE} }).getContext('2d')
    paper.drawImage(image, 0, 0, ${SIDE}, ${SIDE})
    return [...paper.getImageData(0, 0, ${SIDE}, ${SIDE}).data]
  })()`)) as number[]
  return decode({ width: SIDE, height: SIDE, data: Uint8ClampedArray.from(pixels) })
}

/** The mail with a link for a new password, as operators see it captured; gives the link. */
async function mailedLink(page: Page, to: string): Promise<string> {
  const { rows } = await service.pool.query<{ payload: { email: string } }>(
    `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
     where t.id = j.task_id and t.identifier = 'people.reset' returning j.payload`,
  )
  assert.ok(rows[0], 'a mail was asked for')
  await mailPasswordReset(service, rows[0].payload, AbortSignal.timeout(10_000))
  await page.goto(`${url}/captured`)
  await page.getByRole('link', { name: to }).first().click()
  await page.getByRole('heading', { name: `To ${to}` }).waitFor()
  return (await page.getByRole('link', { name: /console\/reset/ }).getAttribute('href')) ?? ''
}

suite('sign-in in the console', () => {
  test('a passkey is added after entering the password again, and signs in without it', async () => {
    const { page, context, open, complaints, close } = await window({ role: 'sender' })
    await withAuthenticator(context, page)
    clock.advance(11 * 60_000)
    await open('/settings')
    await page.getByRole('button', { name: 'Show your passkeys' }).click()
    const again = page.getByRole('dialog', { name: 'Confirm your identity' })
    await again.getByLabel('Password', { exact: true }).fill(password)
    await again.getByRole('button', { name: 'Confirm', exact: true }).click()
    await page.getByLabel('Name of the passkey').fill('Laptop')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('Laptop', { exact: true }).waitFor()
    await signOut(page)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await isIn(page)
    await page.getByText('sender.en@orchard.example').waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  test('an authenticator app is set up from the QR code, and each of its codes and recovery codes signs in once', async () => {
    const { page, close, open, complaints } = await window({ role: 'author' })
    const email = 'author.en@orchard.example'
    await open('/settings')
    await page.getByRole('button', { name: 'Add an authenticator app' }).click()
    const app = URI.parse(await readCode(page))
    assert.ok(app instanceof TOTP)
    const codeOf = (steps: number) => app.generate({ timestamp: clock.now() + steps * 30_000 })
    await page.getByLabel('Code from the app').fill('000000')
    await page.getByRole('button', { name: 'Confirm the code' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Code from the app').fill(codeOf(0))
    await page.getByRole('button', { name: 'Confirm the code' }).click()
    await page.getByText('Keep these recovery codes', { exact: false }).waitFor()
    const recovery = await page.getByRole('status').getByRole('listitem').allTextContents()
    assert.equal(recovery.length, 10)

    await signOut(page)
    await givePassword(page, email, password)
    await page.getByLabel('Six-digit code').fill(codeOf(1))
    await page.getByRole('button', { name: 'Continue' }).click()
    await isIn(page)
    await signOut(page)
    await givePassword(page, email, password)
    await page.getByLabel('Six-digit code').fill(codeOf(1))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByRole('button', { name: 'Use a recovery code instead' }).click()
    assert.equal(await page.getByLabel('Recovery code').inputValue(), '')
    assert.equal(await page.getByRole('alert').count(), 0)
    await page.getByLabel('Recovery code').fill(recovery[0] ?? '')
    await page.getByRole('button', { name: 'Continue' }).click()
    await isIn(page)
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a forgotten password is replaced through an emailed link that works once', async () => {
    const operator = await window()
    const { page, close, complaints } = await window({ role: 'viewer' })
    const email = 'viewer.en@orchard.example'
    await page.context().clearCookies()
    await page.goto(`${url}/console/sign-in`)
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    const link = await mailedLink(operator.page, email)
    await page.goto(link)
    await page.getByRole('textbox', { name: 'New password' }).fill('quinces after the first frost')
    await page.getByRole('button', { name: 'Save the password' }).click()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await givePassword(page, email, 'quinces after the first frost')
    await isIn(page)
    // As links were before: the token goes behind # at once.
    await page.goto(link.replace('#', '?'))
    await page.getByRole('textbox', { name: 'New password' }).fill('quinces after the second frost')
    assert.equal(page.url(), link)
    await page.getByRole('button', { name: 'Save the password' }).click()
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
    assert.deepEqual(complaints, [])
    await Promise.all([close(), operator.close()])
  })

  test('a provider signs in a person with a role, and a person without one is told why not', async () => {
    const { page, close, complaints } = await window({ role: null })
    const claims = { email_verified: true, name: 'Pia', amr: ['mfa'] }
    peer.who = { ...claims, sub: 'pia', email: 'pia@orchard.example', groups: ['marketing'] }
    await page.goto(`${url}/console/ACME001/segments`)
    await page.getByRole('link', { name: 'Sign in with Harbour' }).click()
    await page.getByRole('heading', { level: 1, name: 'Segments' }).waitFor()
    await page.getByText('pia@orchard.example').waitFor()
    assert.deepEqual(complaints, [])
    await close()

    const stranger = await window({ role: null })
    peer.who = { ...claims, sub: 'sly', email: 'sly@orchard.example', groups: [] }
    await stranger.page.goto(`${url}/console/sign-in`)
    await stranger.page.getByRole('link', { name: 'Sign in with Harbour' }).click()
    await stranger.page.getByRole('alert').getByText('Harbour could not sign you in').waitFor()
    await stranger.close()
  })
})
