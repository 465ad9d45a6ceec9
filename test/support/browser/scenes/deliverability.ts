import assert from 'node:assert/strict'
import { addSendingDomain } from '../../../../src/features/accounts/domains.ts'
import { createUuidV7 } from '../../../../src/lib/ids.ts'
import { startDomainWarmUp } from '../../../../src/sending/shaping/warm-up.ts'
import type { Stage } from '../../stages/stage.ts'
import type { Scene } from '../scene.ts'

/** Messages that were accepted or refused in the last days, with complaints. */
async function sent({ context, own }: Stage): Promise<undefined> {
  const { pool, db } = context
  const destinations = ['gmail.com', 'outlook.com', 'orange.example', 'shop.example']
  for (let index = 0; index < 160; index++) {
    const stamp = createUuidV7(Date.now())
    const at = new Date(Date.now() - 3_600_000)
    const isRefused = index % 20 === 3
    await pool.query(
      `insert into sent_messages (account, stamp, channel, kind, source, version, address, outcome, thread, set,
        stamp_time, ended_at, request, values)
      values ($1, $2, 'email', 'message', 1, 1, $3, $4, $2, $2, $5, $5, '{}', '{}')`,
      [own.account, stamp, `p${index}@${destinations[index % 4]}`, isRefused ? 'refused' : 'accepted', at],
    )
    const kind = isRefused ? 'bounces' : index % 40 === 8 ? 'complaints' : null
    const bounce = {
      status: { type: 'sync' },
      analysis: {
        verdict: 'hard',
        subject: { type: 'address', detail: { type: 'bad destination mailbox address' } },
        rule: 'mailbox-unknown',
      },
    }
    if (kind)
      await pool.query(
        `insert into events (id, at, account, channel, kind, stamp, detail) values ($1, $2, $3, 'email', $4, $5, $6)`,
        [
          createUuidV7(at.getTime()),
          at,
          own.account,
          kind,
          stamp,
          JSON.stringify(kind === 'bounces' ? { bounce } : {}),
        ],
      )
  }
  const domain = { domain: 'news.orchard.example', isDefault: false, verifiedAt: null, now: new Date() }
  await addSendingDomain(context, own.account, domain)
  await startDomainWarmUp(
    db,
    own.account,
    'news.orchard.example',
    new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10),
  )
  return undefined
}

/** One message to an address, through a service action. */
async function messageTo({ call, contact, validated, action, sendDue }: Stage, address: string): Promise<void> {
  const id = await validated(await action({ name: `To ${address}` }))
  const body = [{ recipient: { type: 'id', value: await contact(address) } }]
  const { status, text } = await call('POST', `/actions/${id}/executions`, { body })
  assert.ok(status < 300, text)
  await sendDue()
}

/** Messages that wait: of an open destination, and of one that is held. */
async function waiting(stage: Stage): Promise<undefined> {
  for (const [address, destination] of [
    ['ann@gmail.com', 'gmail'],
    ['bob@outlook.com', 'outlook'],
  ] as const) {
    stage.gateway.plan(address, { result: 'returned', destination })
    await messageTo(stage, address)
  }
  await stage.call('POST', '/settings/sending/queues/outlook', { body: { operation: 'hold' } })
  return undefined
}

async function doubtful(stage: Stage): Promise<undefined> {
  for (const address of ['cleo@shop.example', 'dan@shop.example']) {
    stage.gateway.plan(address, { result: 'doubtful' })
    await messageTo(stage, address)
  }
  return undefined
}

export const scenes: Scene[] = [
  {
    name: 'deliverability-empty',
    path: '/deliverability',
    ready: (page) => page.getByRole('heading', { name: 'No mail sent in this period' }).waitFor(),
  },
  {
    name: 'deliverability-queues-empty',
    path: '/deliverability/queues',
    ready: (page) => page.getByRole('heading', { name: 'No messages waiting' }).waitFor(),
  },
  {
    name: 'deliverability',
    path: '/deliverability',
    prepare: sent,
    ready: async (page) => {
      await page.getByRole('heading', { name: 'Refusals by server response' }).waitFor()
      await page.locator('canvas').waitFor()
    },
  },
  {
    name: 'deliverability-domains',
    path: '/deliverability/domains',
    ready: (page) => page.getByText('not checked').first().waitFor(),
  },
  {
    name: 'deliverability-domain',
    path: '/deliverability/domains/news.orchard.example',
    ready: (page) => page.getByText('DMARC').first().waitFor(),
  },
  {
    name: 'deliverability-domain-add',
    path: '/deliverability/domains',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Add a domain' }).click()
      await page.getByRole('dialog').getByLabel('Domain', { exact: true }).waitFor()
    },
  },
  {
    name: 'deliverability-domain-remove',
    path: '/deliverability/domains/news.orchard.example',
    ready: async (page) => {
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Remove the domain' }).click()
      await page.getByText('Its keys are deleted.', { exact: false }).waitFor()
    },
  },
  {
    name: 'deliverability-queues',
    path: '/deliverability/queues',
    prepare: waiting,
    ready: (page) => page.getByRole('button', { name: 'Release' }).waitFor(),
  },
  {
    name: 'deliverability-held',
    path: '/deliverability/held',
    prepare: doubtful,
    ready: (page) => page.getByText('Reason').first().waitFor(),
  },
  {
    name: 'deliverability-broken',
    path: '/deliverability',
    refused: '/deliverability',
    ready: (page) => page.getByRole('alert').getByText('This is broken for the picture').waitFor(),
  },
]
