import assert from 'node:assert/strict'
import { suite } from 'node:test'
import { test } from '../../support/browser/launch.ts'
import { ADA, previewed, startPhones, step } from '../../support/browser/phones-stage.ts'

const phones = await startPhones()
const { stage, window, made, profile, application } = phones
const { call, context } = stage

const text = '{{ contact.Notes }}'
const content = { title: text, body: text }
const written = {
  sms: async () => (await made('/actions', { type: 'smsMessage', name: 'Hostile', content: { textContent: text } })).id,
  rcs: async () =>
    (
      await made('/channel/rcs/actions', {
        type: 'rcsMessage',
        name: 'Hostile',
        settings: { profile },
        content: { type: 'text', text },
      })
    ).id,
  notification: async () =>
    (
      await made('/notifications', {
        type: 'push-app',
        name: 'Hostile',
        settings: { application },
        versions: [{ master: true, content }],
      })
    ).id,
}

suite('SMS, rich messages and notifications in the console: edge cases', { concurrency: false }, () => {
  for (const channel of ['sms', 'rcs', 'notification'] as const)
    test(`a hostile value is shown as text in the preview of ${channel}`, async () => {
      const id = await written[channel]()
      const { page, open, complaints, close } = await window({ width: 390 })
      await open(`/messages/${channel}/${id}`)
      await previewed(page, 'ada@', ADA)
      await page.getByText('<img src=x onerror=').first().waitFor()
      assert.equal(await page.locator('img[src=x]').count(), 0)
      assert.match(await page.title(), /^Hostile/)
      assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
      assert.deepEqual(complaints, [])
      await close()
    })

  for (const channel of ['sms', 'rcs', 'notification'] as const)
    test(`a viewer reads ${channel} and its preview, and sees nothing that would be refused`, async () => {
      const id = await written[channel]()
      const { page, open, complaints, close } = await window({ role: 'viewer' })
      const refused: string[] = []
      page.on('response', (answer) => answer.status() === 403 && refused.push(answer.url()))
      await open(`/messages/${channel}/${id}`)
      await previewed(page, 'ada@', ADA)
      await page.getByText('<img src=x onerror=').first().waitFor()
      assert.equal(await page.getByLabel('Name', { exact: true }).getAttribute('readonly'), '')
      for (const name of [/^Add/, /Replace/, /^Remove/, /^Insert/])
        assert.equal(await page.getByRole('button', { name }).count(), 0, String(name))
      for (const part of ['When', 'Audience', 'Test and send']) {
        await step(page, part)
        await page.waitForLoadState('networkidle')
        for (const name of [/^Validate/, /^Activate/, /^Send test/, /^Save/])
          assert.equal(await page.getByRole('button', { name }).count(), 0, `${part}: ${name}`)
      }
      assert.deepEqual([refused, complaints], [[], []])
      await close()
    })

  test('a session that ends while a notification is written loses nothing', async () => {
    const id = await written.notification()
    const { page, open, close } = await window()
    await open(`/messages/notification/${id}`)
    await page.getByLabel('Title', { exact: true }).fill('Kept')
    await context.db.deleteFrom('sessions').execute()
    phones.forgetSessions()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has expired' })
    await dialog.getByLabel('Password', { exact: true }).fill(phones.password)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' })
    assert.equal((await call('GET', `/notifications/${id}`)).body.versions[0].content.title, 'Kept')
    await close()
  })

  test('of two people editing one rich message, the second sees both versions and chooses', async () => {
    const id = await written.rcs()
    const { page, open, close } = await window()
    await open(`/messages/rcs/${id}`)
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Mine')
    const theirs = { content: { type: 'text', text: 'Theirs' } }
    assert.equal((await call('PUT', `/channel/rcs/actions/${id}`, { body: theirs })).status, 200)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('cell', { name: 'Theirs', exact: true }).waitFor()
    await dialog.getByRole('cell', { name: 'Mine', exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Save my version' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' })
    assert.equal((await call('GET', `/channel/rcs/actions/${id}`)).body.content.text, 'Mine')
    await close()
  })
})
