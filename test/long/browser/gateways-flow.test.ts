import assert from 'node:assert/strict'
import { after, suite } from 'node:test'
import { startSink } from '../../fakes/mail/smtp-sink.ts'
import { startBrowserStage } from '../../support/browser/browser-stage.ts'
import { test } from '../../support/browser/launch.ts'
import { eventually } from '../../support/wait.ts'

const sink = await startSink()
after(() => sink.close())
const { stage, window } = await startBrowserStage(async () => ({ STENTOR_OUTGOING_ALLOW: `127.0.0.1:${sink.port}` }))
const { call } = stage

suite('gateways in the console', () => {
  test('a relay is added, tested, given a password and removed, and the password stays out of browser storage', async () => {
    const { page, open, complaints, close } = await window()
    await open('/settings/gateways')
    await page.getByRole('link', { name: 'Add a gateway' }).click()
    await page.getByRole('link', { name: 'SMTP relay' }).click()
    await page.getByLabel('Host', { exact: true }).fill('10.0.0.7')
    await page.getByLabel('Port', { exact: true }).fill(String(sink.port))
    await page.getByLabel('Encryption (TLS)').first().click()
    await page.getByRole('option', { name: 'None' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('is a private address', { exact: true }).waitFor()
    const host = page.getByLabel('Host', { exact: true })
    assert.equal(await host.getAttribute('aria-invalid'), 'true')
    await host.fill('127.0.0.1')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: '127.0.0.1' }).waitFor()
    await page.getByRole('button', { name: 'Test the connection' }).click()
    await page.getByText('works', { exact: true }).waitFor()

    await page.getByLabel('Name', { exact: true }).fill('House relay')
    await page.getByText('More settings').click()
    await page.getByLabel('Password without TLS').check({ force: true })
    await page.getByLabel('User', { exact: true }).fill('orchard')
    await page.getByLabel('Password', { exact: true }).fill('apples-and-pears')
    await eventually(async () => String(await page.evaluate('JSON.stringify(localStorage)')).includes('House relay'))
    assert.ok(!String(await page.evaluate('JSON.stringify(localStorage)')).includes('apples-and-pears'))
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('It is set and never shown.').first().waitFor()
    const [stored] = (await call('GET', '/gateways')).body
    assert.deepEqual([stored.name, stored.secrets], ['House relay', ['password', 'username']])

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Remove the gateway' }).click()
    await page.getByText('No other gateway carries Email').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the gateway' }).click()
    await page.getByRole('heading', { name: 'Messages are captured for now' }).waitFor()
    assert.deepEqual((await call('GET', '/gateways')).body, [])
    assert.deepEqual(complaints, [])
    await close()
  })

  test('an SMS provider shows the address for its receipts once', async () => {
    const { page, open, close } = await window()
    await open('/settings/gateways/new?kind=sms-http')
    await page
      .getByLabel('Address', { exact: true })
      .fill('https://sms.provider.example/send?to={{to}}&text={{text}}&k={{secret.key}}')
    await page.getByLabel('Name of a secret').fill('key')
    await page.getByRole('button', { name: 'Add the secret' }).click()
    await page.getByLabel('key', { exact: true }).fill('k-1')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').getByText('/hooks/sms/').waitFor()
    await page.getByRole('button', { name: 'I have entered it there' }).click()
    await page.getByRole('heading', { level: 1, name: 'sms-http' }).waitFor()
    const [stored] = (await call('GET', '/gateways')).body
    assert.deepEqual([stored.kind, stored.secrets], ['sms-http', ['hookToken', 'key']])
    await close()
  })

  test('a user who is not an operator sees the gateways and can change nothing', async () => {
    const { page, open, close } = await window({ role: 'viewer' })
    await open('/settings/gateways')
    await page.getByRole('link', { name: 'sms-http' }).click()
    await page.getByRole('heading', { level: 1, name: 'sms-http' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Test the connection' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'More actions' }).count(), 0)
    assert.equal(await page.getByLabel('Address', { exact: true }).getAttribute('readonly'), '')
    await close()
  })
})
