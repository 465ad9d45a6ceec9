import assert from 'node:assert/strict'
import { suite } from 'node:test'
import type { Page } from 'playwright-core'
import { startBrowserStage } from '../../support/browser/browser-stage.ts'
import { test } from '../../support/browser/launch.ts'
import { keyboard, mouse } from '../../support/browser/steps/hands.ts'
import { save } from '../../support/browser/steps/save.ts'
import { longWorkflow, settled } from '../../support/browser/steps/workflows.ts'
import { eventually } from '../../support/wait.ts'

const browserStage = await startBrowserStage()
const { stage, window } = browserStage
const { call, context } = stage

async function made(name: string, nodes: object[], more: object = {}): Promise<number> {
  const answer = await call('POST', '/scripting/workflows', { body: { name, nodes, ...more } })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.id
}

const stored = async (id: number) => (await call('GET', `/scripting/workflows/${id}`)).body

/** A workflow without what each save changes. */
const whole = ({ version: _, updateDate: __, ...rest }: Record<string, unknown>) => rest

const nodeOf = (page: Page, id: string) => page.locator(`.react-flow__node[data-id="${id}"]`)

async function find(page: Page, name: string, id: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Find a node' }).fill(name)
  await page.getByRole('option', { name: `${name} (${id})`, exact: true }).click()
  await nodeOf(page, id).waitFor()
  await settled(page)
}

suite('new workflow dialog', () => {
  test('creates a workflow from a template with drafts of its emails, in four presses', async () => {
    const { page, open, complaints, close } = await window()
    await open('/workflows')
    const by = mouse(page)
    await by.press(page.getByRole('button', { name: 'New workflow' }).first())
    const dialog = page.getByRole('dialog')
    await by.pick(dialog.getByRole('radio', { name: /^Welcome series/ }))
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'Welcome series')
    await by.press(dialog.getByRole('button', { name: 'Create workflow' }))
    await page.getByRole('heading', { level: 1, name: 'Welcome series' }).waitFor()
    await nodeOf(page, 'again').waitFor()
    const { nodes } = await stored(Number(page.url().split('/').at(-1)))
    const { action } = nodes[0].settings
    const email = (await call('GET', `/actions/${action}`)).body
    assert.equal(email.content.subject, 'Welcome')
    assert.match(email.content.html, /<body/)
    assert.deepEqual(complaints, [])
    await close()
  })
})

suite('workflow editor with 60 nodes', () => {
  test('opens at a readable size, is laid out, edited by mouse and keyboard, saved and fully undone', async () => {
    const { page, open, complaints, close } = await window()
    const id = await made('Sixty', longWorkflow(60))
    const before = await stored(id)
    await open(`/workflows/${id}`)
    await nodeOf(page, 'step-0').waitFor()
    await settled(page)
    const { width = 0 } = (await nodeOf(page, 'step-0').boundingBox()) ?? {}
    assert.ok(width >= 220 * 0.75, `a node is ${width} px wide`)
    await page.getByRole('img', { name: 'Map of the graph' }).waitFor()
    await page.getByRole('button', { name: 'Lay out' }).click()
    await settled(page)

    await page.getByRole('button', { name: 'Add a node' }).click()
    const palette = page.getByRole('region', { name: 'Add a node' })
    await palette
      .getByRole('button', { name: 'Pause', exact: true })
      .dragTo(page.getByRole('region', { name: 'Graph', exact: true }), { targetPosition: { x: 420, y: 420 } })
    await nodeOf(page, 'sleep').waitFor()
    await settled(page)
    await palette.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('combobox', { name: 'Next', exact: true }).click()
    await page.getByRole('option', { name: 'Step 9', exact: true }).click()
    await settled(page)

    await find(page, 'Step 2', 'step-2')
    await page.getByLabel('Time', { exact: true }).fill('5')
    const from = await page.locator('.react-flow__handle.source[data-nodeid="step-2"]').boundingBox()
    const to = await page.locator('.react-flow__handle.target[data-nodeid="step-4"]').boundingBox()
    assert.ok(from && to)
    await page.mouse.move(from.x + 4, from.y + 4)
    await page.mouse.down()
    await page.mouse.move(from.x + 30, from.y + 30, { steps: 4 })
    await page.mouse.move(to.x + 4, to.y + 4, { steps: 8 })
    await page.mouse.up()
    await settled(page)
    await save(mouse(page))

    const pause = {
      type: 'sleep',
      id: 'sleep',
      next: 'step-9',
      settings: { period: { type: 'rolling', unit: 'DAY', value: 1 } },
    }
    const after = await stored(id)
    const expected = structuredClone(before.nodes)
    expected[2] = { ...expected[2], next: 'step-4', settings: { ...expected[2].settings } }
    expected[2].settings.period = { type: 'rolling', unit: 'HOUR', value: 5 }
    assert.deepEqual(after.nodes.slice(0, 60), expected)
    const { type, id: own, next, settings } = after.nodes[60]
    assert.deepEqual({ type, id: own, next, settings: { period: settings.period } }, pause)

    const undo = page.getByRole('button', { name: 'Undo', exact: true })
    await eventually(async () => {
      if (await undo.isDisabled()) return true
      await undo.click()
      await settled(page)
      return false
    })
    await save(mouse(page))
    assert.deepEqual(whole(await stored(id)), whole(before))
    assert.deepEqual(complaints, [])
    await close()
  })

  test('by keyboard, a node is found, another added after it, connected, removed and undone', async () => {
    const { page, open, complaints, close } = await window()
    const id = await made('Keys', longWorkflow(60))
    const before = await stored(id)
    await open(`/workflows/${id}`)
    await nodeOf(page, 'step-0').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('Step 12')
    await page.getByRole('option', { name: 'Step 12 (step-12)', exact: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await nodeOf(page, 'step-12').waitFor()
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Lay out' }).focus()
    await page.keyboard.press('a')
    await page.getByRole('textbox', { name: 'Search types' }).waitFor()
    await page.keyboard.type('publish')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await settled(page)
    await save(mouse(page))
    const { nodes } = await stored(id)
    assert.equal(nodes[12].next, 'publish')
    assert.equal(nodes[60].next, 'step-13')
    await page.getByRole('button', { name: 'Lay out' }).focus()
    await page.keyboard.press('Control+z')
    await settled(page)
    await save(mouse(page))
    assert.deepEqual(whole(await stored(id)), whole(before))
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a simulation highlights every node on the path and lists the effects in order', async () => {
    const { page, open, complaints, close } = await window()
    const id = await made('Tried', longWorkflow(60))
    await open(`/workflows/${id}?tab=simulation`)
    await page.getByRole('button', { name: 'Simulate', exact: true }).click()
    await page.getByText('Outcome: done').waitFor()
    await settled(page)
    const effects = await page.getByRole('list', { name: 'Effects, in order' }).locator('li strong').allTextContents()
    assert.deepEqual(effects, ['Step 3', 'Step 13', 'Step 23', 'Step 33', 'Step 43', 'Step 53'])
    const path = await page.getByRole('list', { name: 'Path' }).locator('li strong').allTextContents()
    assert.deepEqual(
      path,
      Array.from({ length: 60 }, (_, n) => `Step ${n}`),
    )
    const shown = page.locator('.react-flow__node')
    assert.equal(await shown.locator('[data-lit]').count(), await shown.count())
    assert.deepEqual(complaints, [])
    await close()
  })
})

suite('workflow editor', () => {
  test('1,000 nodes are laid out in a worker, and edits and moves made meanwhile are kept', async () => {
    const { page, open, complaints, close } = await window()
    const id = await made('Thousand', longWorkflow(1000))
    const held = Promise.withResolvers<void>()
    await open(`/workflows/${id}`)
    await nodeOf(page, 'step-0').waitFor()
    await settled(page)
    await page.route('**/layout-worker-*', async (route) => {
      await held.promise
      await route.continue()
    })
    const box = async (node: string) => (await nodeOf(page, node).boundingBox())!
    const before = await box('step-1')
    await page.getByRole('button', { name: 'Lay out', exact: true }).click()
    await page.getByRole('status').filter({ hasText: 'Laying out 1,000 nodes…' }).waitFor()
    await page.mouse.move(before.x + 60, before.y + 20)
    await page.mouse.down()
    await page.mouse.move(before.x + 260, before.y + 30, { steps: 6 })
    await page.mouse.up()
    await page.getByLabel('Name', { exact: true }).fill('Moved aside')
    const [first, moved] = [await box('step-0'), await box('step-1')]
    assert.ok(moved.x > before.x + 150, `${moved.x} ${before.x}`)
    held.resolve()
    await page.getByRole('status').filter({ hasText: 'Laying out' }).waitFor({ state: 'detached' })
    await settled(page)
    const [top, after] = [await box('step-0'), await box('step-1')]
    assert.deepEqual(
      [after.x - top.x, after.y - top.y].map(Math.round),
      [moved.x - first.x, moved.y - first.y].map(Math.round),
    )
    await save(mouse(page))
    assert.equal((await stored(id)).nodes[1].name, 'Moved aside')
    assert.deepEqual(complaints, [])
    await close()
  })

  for (const way of [mouse, keyboard])
    test(`by ${way.name}, a simulation follows the path that a contact and ordered events decide`, async () => {
      const { page, open, complaints, close } = await window()
      const hand = way(page)
      const action = await stage.action({ name: `Simulated by ${way.name}` })
      await stage.validated(action)
      await stage.contact(`${way.name}@trial.example`)
      const wait = {
        event: { type: 'action.hit', kinds: ['open'] },
        timeout: { unit: 'DAY', value: 2 },
        timeoutNext: 'late',
      }
      const id = await made(`Trial by ${way.name}`, [
        { type: 'sendMail', id: 'mail', name: 'Letter', default: true, settings: { action }, next: 'wait' },
        { type: 'wait', id: 'wait', name: 'Opened?', settings: wait, next: 'bought' },
        { type: 'wait', id: 'bought', settings: { event: { type: 'custom', names: ['order.paid'] } }, next: 'good' },
        { type: 'terminal', id: 'good', name: 'Good', settings: { outcome: 'bought' } },
        { type: 'terminal', id: 'late', name: 'Late', settings: { outcome: 'too late' } },
      ])
      await open(`/workflows/${id}?tab=simulation`)
      await page.getByRole('combobox', { name: 'Contact', exact: true }).fill(`${way.name}@trial`)
      await page.getByRole('option', { name: `${way.name}@trial.example` }).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.getByLabel('Begins at', { exact: true }).first().fill('2026-12-01T09:00')
      const add = page.getByRole('button', { name: 'Add an event' })
      const simulated = async (outcome: string): Promise<string[]> => {
        await hand.press(page.getByRole('button', { name: 'Simulate', exact: true }))
        await page.getByText(outcome).waitFor()
        return page.getByRole('list', { name: 'Path' }).locator('li strong').allTextContents()
      }
      await hand.press(add)
      await hand.press(add)
      const items = page.getByRole('list', { name: 'Events during the run' }).getByRole('listitem')
      await items.first().getByRole('combobox', { name: 'Event', exact: true }).fill('Custom')
      await page.getByRole('option', { name: 'Custom event' }).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await items.first().getByRole('textbox', { name: 'Name', exact: true }).fill('order.paid')
      assert.deepEqual(await simulated('Waiting'), ['Letter', 'Opened?'])
      assert.equal(await nodeOf(page, 'bought').locator('[data-lit]').count(), 1)
      await hand.press(page.getByRole('button', { name: /^Move Custom event .* later$/ }))
      assert.match(
        String(await page.evaluate('document.activeElement.getAttribute("aria-label")')),
        /^Move Custom event \(2\) earlier$/,
      )
      assert.deepEqual(await simulated('Outcome: bought'), ['Letter', 'Opened?', 'bought', 'Good'])
      const effects = page.getByRole('list', { name: 'Effects, in order' })
      assert.deepEqual(await effects.locator('li strong').allTextContents(), ['Letter'])
      assert.equal(await nodeOf(page, 'good').locator('[data-lit]').count(), 1)
      assert.equal(await nodeOf(page, 'late').locator('[data-lit]').count(), 0)
      await hand.press(page.getByRole('button', { name: /^Remove Message: opened, clicked/ }))
      assert.deepEqual(await simulated('Outcome: too late'), ['Letter', 'Opened?', 'Late'])
      await page.reload()
      await items.first().getByText('Custom event').first().waitFor()
      await page.getByRole('switch', { name: 'Source' }).focus()
      await page.keyboard.press('Space')
      await page.getByRole('textbox', { name: 'Events as JSON' }).getByText('"order.paid"').waitFor()
      assert.deepEqual(complaints, [])
      await close()
    })

  test('all settings of a send are edited in forms and stored as the API defines them', async () => {
    const { page, open, complaints, close } = await window()
    const action = await stage.action({ name: 'Receipt' })
    const copied = await stage.contact('copied@forms.example')
    const id = await made('Sends', [
      { type: 'sendMail', id: 'mail', default: true, settings: { action } },
      { type: 'sendpushapp', id: 'push', settings: { title: 'Hello', body: 'There' } },
    ])
    await open(`/workflows/${id}?node=mail`)
    await page.getByText('Values that replace the message’s own').click()
    await page.getByLabel('Sender name').fill('The Orchard')
    await page.getByLabel('Replies go to').fill('help@orchard.example')
    await page.getByRole('button', { name: 'Add a file' }).click()
    await page.getByLabel('Address of the file').fill('https://files.example/terms.pdf')
    const line = page
      .getByRole('group')
      .filter({ has: page.getByLabel('Address of the file') })
      .last()
    await line.getByLabel('Name', { exact: true }).last().fill('terms.pdf')
    await line.getByLabel('Type', { exact: true }).fill('application/pdf')
    await page.getByRole('button', { name: 'Add a file' }).click()
    await page
      .locator('input[type=file]')
      .last()
      .setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('Two kilos of apples') })
    await page
      .locator('input[type=file]')
      .last()
      .setInputFiles({ name: 'large.bin', mimeType: 'text/plain', buffer: Buffer.alloc(40_000) })
    await page.getByText('Files stored in a workflow can total at most').waitFor()
    await page.getByRole('button', { name: 'Add a copy' }).click()
    await page.getByRole('textbox', { name: 'Address', exact: true }).fill('books@orchard.example')
    await page.getByRole('button', { name: 'Add a copy' }).click()
    await page.getByRole('combobox', { name: 'Kind of copy' }).last().click()
    await page.getByRole('option', { name: 'hidden (Bcc)' }).click()
    await page.getByRole('combobox', { name: 'Who gets it' }).last().click()
    await page.getByRole('option', { name: 'the contact', exact: true }).click()
    await page.getByRole('combobox', { name: 'the contact' }).fill('copied@forms')
    await page.getByRole('option', { name: 'copied@forms.example' }).click()
    await page.getByText('Values for templates').click()
    await page.getByRole('button', { name: 'Add to: Variables' }).click()
    await page.getByLabel('Name of the variable').fill('cart')
    await page.getByRole('combobox', { name: 'Value: how it is written' }).click()
    await page.getByRole('option', { name: 'Member' }).click()
    await page.getByRole('combobox', { name: 'Value', exact: true }).fill('data.cart')
    await page.getByText('Urgency and result').click()
    await page.getByRole('combobox', { name: 'Urgent', exact: true }).click()
    await page.getByRole('option', { name: 'Yes' }).click()
    await save(mouse(page))
    const { settings } = (await stored(id)).nodes[0]
    assert.deepEqual(
      Object.fromEntries(
        ['headers', 'attachments', 'copies', 'variables', 'urgent'].map((name) => [name, settings[name]]),
      ),
      {
        headers: {
          type: 'literal',
          value: { from: { label: 'The Orchard' }, reply: 'help@orchard.example' },
        },
        attachments: {
          type: 'literal',
          value: [
            {
              name: 'terms.pdf',
              mime: 'application/pdf',
              data: { type: 'url', value: 'https://files.example/terms.pdf' },
            },
            { name: 'note.txt', mime: 'text/plain', data: { type: 'base64', value: btoa('Two kilos of apples') } },
          ],
        },
        copies: {
          type: 'literal',
          value: [
            { type: 'address', value: 'books@orchard.example', as: 'cc' },
            { type: 'id', value: copied, as: 'bcc' },
          ],
        },
        variables: [{ key: 'cart', value: { type: 'path', value: 'data.cart' } }],
        urgent: { type: 'literal', value: true },
      },
    )
    await open(`/workflows/${id}?node=push`)
    await page.getByText('Pictures, link, channel').click()
    await page.getByRole('textbox', { name: 'Icon' }).fill('https://files.example/icon.png')
    await page.getByRole('combobox', { name: 'Leads to' }).click()
    await page.getByRole('option', { name: 'entered here' }).click()
    await page.getByRole('textbox', { name: 'Address or route' }).fill('app://sale')
    await save(mouse(page))
    const push = (await stored(id)).nodes[1].settings
    assert.deepEqual(
      [push.icon, push.redirection],
      [
        { type: 'literal', value: 'https://files.example/icon.png' },
        { type: 'literal', value: { type: 'literal', value: 'app://sale' } },
      ],
    )
    assert.deepEqual(complaints, [])
    await close()
  })

  test('nodes copied with Control+C are pasted into another workflow with the Paste button', async () => {
    const { page, open, complaints, close } = await window()
    const source = await made('Source', longWorkflow(5))
    const target = await made('Target', [{ type: 'terminal', id: 'end', default: true, settings: { outcome: 'done' } }])
    await open(`/workflows/${source}`)
    await nodeOf(page, 'step-1').click()
    await nodeOf(page, 'step-2').click({ modifiers: ['Control'] })
    await page.keyboard.press('Control+c')
    await open(`/workflows/${target}`)
    await nodeOf(page, 'end').waitFor()
    await page.getByRole('button', { name: 'Paste', exact: true }).click()
    await nodeOf(page, 'sleep-2').waitFor()
    await settled(page)
    await save(mouse(page))
    const { nodes } = await stored(target)
    assert.deepEqual(
      nodes.map(({ id, name, next = null }: Record<string, unknown>) => [id, name, next]),
      [
        ['end', null, null],
        ['sleep', 'Step 1', 'sleep-2'],
        ['sleep-2', 'Step 2', null],
      ],
    )
    assert.deepEqual(complaints, [])
    await close()
  })

  test('listeners, tasks and capping are edited in forms and stored as the API defines them', async () => {
    const { page, open, complaints, close } = await window()
    const list = await stage.segment([], { name: 'Regulars' })
    const id = await made('Forms', longWorkflow(3))
    await open(`/workflows/${id}`)
    await nodeOf(page, 'step-0').waitFor()
    await page.getByText('Starts', { exact: true }).click()
    await page.getByRole('button', { name: 'Add to: Triggers' }).click()
    await page.getByRole('combobox', { name: 'Event', exact: true }).click()
    await page.getByRole('option', { name: 'Contact: enters a segment' }).click()
    await page.getByRole('combobox', { name: 'Segments', exact: true }).click()
    await page.getByRole('option', { name: 'Regulars' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'Begins at' }).click()
    await page.getByRole('option', { name: /^Step 0/ }).click()
    await page.getByText('Limits', { exact: true }).click()
    await page.getByRole('button', { name: 'Add to: Capping' }).click()
    await page.getByLabel('At most', { exact: true }).fill('3')
    await save(mouse(page))
    const { listeners, capping } = await stored(id)
    assert.deepEqual(
      listeners.map(({ event, handler, enabled }: Record<string, unknown>) => ({ event, handler, enabled })),
      [{ event: { type: 'segment.entered', segments: [list], filter: null }, handler: 'step-0', enabled: true }],
    )
    assert.deepEqual(
      capping.map(({ threshold, period, nodes }: Record<string, unknown>) => ({ threshold, period, nodes })),
      [{ threshold: 3, period: { type: 'rolling', unit: 'DAY', value: 1 }, nodes: [] }],
    )
    assert.deepEqual(complaints, [])
    await close()
  })

  test('hostile names are shown as text in the list, on the nodes and next to them', async () => {
    const hostile = `<img src=x onerror="document.title='taken'"> "quoted" اسم ${'long '.repeat(30)}`
    const { page, open, complaints, close } = await window()
    const id = await made(hostile.slice(0, 250), [
      {
        type: 'terminal',
        id: '"><img src=x>',
        name: hostile.slice(0, 250),
        default: true,
        settings: { outcome: '<b>' },
      },
    ])
    for (const path of [
      '/workflows',
      `/workflows/${id}`,
      `/workflows/${id}?tab=simulation`,
      `/workflows/${id}?tab=versions`,
    ]) {
      await open(path)
      await page.getByText('<img src=x onerror=').first().waitFor()
      assert.equal(await page.locator('img[src=x]').count(), 0, path)
      assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, path)
    }
    await open(`/workflows/${id}`)
    await page.locator('.react-flow__node').click()
    await page.getByRole('heading', { name: 'End', exact: true }).waitFor()
    assert.equal(await page.locator('img[src=x]').count(), 0)
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a read-only user sees the graph and its settings and nothing to change them', async () => {
    const { page, open, complaints, close } = await window({ role: 'viewer' })
    const id = await made('Read', longWorkflow(4))
    await open(`/workflows/${id}?node=step-1`)
    await nodeOf(page, 'step-1').waitFor()
    assert.equal(await page.getByLabel('Time', { exact: true }).getAttribute('readonly'), '')
    await nodeOf(page, 'step-1').click()
    await page.keyboard.press('Delete')
    await settled(page)
    assert.equal(await page.locator('.react-flow__node').count(), 4)
    for (const name of ['Add a node', 'Remove', 'Paste', 'Undo', 'Activate', 'Start runs here'])
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name)
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a session that ends while a workflow is edited loses nothing', async () => {
    const { page, open, close } = await window()
    const id = await made('Kept', longWorkflow(4))
    await open(`/workflows/${id}?node=step-1`)
    await page.getByLabel('Time', { exact: true }).fill('9')
    await context.db.deleteFrom('sessions').execute()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has expired' })
    await dialog.getByLabel('Password', { exact: true }).fill(browserStage.password)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' })
    assert.equal((await stored(id)).nodes[1].settings.period.value, 9)
    browserStage.forgetSessions()
    await close()
  })

  test('of two people editing one workflow, the second sees what changed and overwrites it', async () => {
    const { page, open, complaints, close } = await window()
    const id = await made('Shared', longWorkflow(4))
    await open(`/workflows/${id}?node=step-1`)
    await page.getByLabel('Time', { exact: true }).fill('9')
    const { status } = await call('PUT', `/scripting/workflows/${id}`, { body: { description: 'Of another person' } })
    assert.equal(status, 200)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Someone else changed this in the meantime' })
    await dialog.getByText('Of another person').waitFor()
    await dialog.getByRole('button', { name: 'Save my version' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' })
    assert.equal((await stored(id)).nodes[1].settings.period.value, 9)
    assert.deepEqual(complaints, [])
    await close()
  })

  test("run statistics are requested once for a workflow's screen and never for the list", async () => {
    const { page, open, close } = await window()
    const id = await made('Counted', longWorkflow(4))
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/statistics')) asked.push(request.url())
    })
    await open(`/workflows/${id}`)
    await nodeOf(page, 'step-0').waitFor()
    await eventually(() => asked.length > 0)
    await settled(page)
    assert.equal(asked.length, 1)
    await open('/workflows')
    await page.getByText('Counted', { exact: true }).waitFor()
    await settled(page)
    assert.equal(asked.length, 1)
    await close()
  })
})
