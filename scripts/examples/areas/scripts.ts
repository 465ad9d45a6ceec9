import type { Story } from '../story.ts'
import type { ShopSegments } from './segments.ts'

const TIER_SCRIPT = `export default function ({ contact, data }) {
  const spent = contact?.fields.Spent ?? 0
  const tier = spent >= environment.gold ? 'gold' : 'green'
  log('spent', spent, 'asked by', data.by)
  return { tier }
}
`

const MAYA = { type: 'unicity', value: ['maya@mailbox.example'] }

async function createTierTask({ call }: Story): Promise<number> {
  const body = {
    name: 'Tier of a customer',
    description: 'Shown on the page of the account.',
    scripting: { environment: { capabilities: ['targets.write'], variables: { gold: 200 } } },
    settings: { cpuMs: 500, wallMs: 5000, public: { enabled: true, methods: ['GET', 'POST'] } },
    value: TIER_SCRIPT,
  }
  const flawed = { value: TIER_SCRIPT.replace('environment.gold', 'environment.gold >'), scripting: body.scripting }
  await call('checkWebtask', { body: flawed })
  const { id } = await call('createWebtask', { body })
  await call('listWebtasks')
  await call('getWebtask', { path: { id } })
  await call('updateWebtask', { path: { id }, body: { description: 'Shown on the page of a customer.' } })
  const patch = { scripting: { environment: { variables: { gold: 250 } } } }
  await call('patchWebtask', { path: { id }, body: patch, type: 'application/merge-patch+json' })
  await call('getWebtaskScript', { path: { id } })
  const value = TIER_SCRIPT.replace("'green'", "'jade'")
  await call('replaceWebtaskScript', { path: { id }, body: { value } })
  return id
}

async function runTierTask({ call, follow, calendar }: Story, id: number): Promise<void> {
  await call('executeWebtask', { path: { id }, body: { receiver: MAYA, data: { by: 'the shop' } } })
  const batch = ['lucy', 'tom'].map((name) => ({
    receiver: { type: 'unicity', value: [`${name}@mailbox.example`] },
    data: { by: 'the till' },
  }))
  await call('executeWebtaskBatch', { path: { id }, body: batch })
  await call('listWebtaskRuns', { path: { id }, query: { limit: 2 } })
  await call('createWebtaskTokenWithoutData', { path: { id } })
  const expires = calendar.timeAhead('2026-12-31T00:00:00Z')
  const token = { receiver: MAYA, data: { by: 'a link in a letter' }, expires }
  const { value: cipher } = await call('createWebtaskToken', { path: { id }, body: token })
  await follow('runWebtaskByToken', `/w/${cipher}`)
  await follow('runWebtaskByTokenWithBody', `/w/${cipher}`, { body: { data: { by: 'a form' } } })
  await call('revokeWebtaskTokens', { path: { id } })
  const other = await call('createWebtask', { body: { name: 'Stock of a tea' }, shown: false })
  await call('deleteWebtask', { path: { id: other.id } })
}

const path = (value: string) => ({ type: 'path', value })

/** Customers by what they spent. */
const buildPipeline = (segment: number) => ({
  type: 'pipeline',
  source: { type: 'segment', segment },
  cursors: [
    {
      type: 'filter',
      condition: {
        type: 'compare',
        left: path('row.fields.Spent'),
        operator: 'greaterOrEqual',
        right: path('arguments.least'),
      },
    },
    { type: 'map', fields: { name: path('row.fields.FirstName'), spent: path('row.fields.Spent') } },
    { type: 'sort', by: [{ value: path('row.spent'), direction: 'desc' }] },
    { type: 'limit', count: path('arguments.top') },
  ],
  parameters: [
    { name: 'least', type: 'number', default: 100 },
    { name: 'top', type: 'number', required: true },
  ],
})

async function createCompilables({ call }: Story, { readers }: ShopSegments): Promise<void> {
  const preview = { arguments: { least: 100, top: 3 }, limit: 10 }
  const body = { name: 'Best customers', description: 'For the tasting.', value: buildPipeline(readers), preview }
  const { id } = await call('createCompilable', { body })
  await call('listCompilables')
  await call('getCompilable', { path: { id } })
  await call('updateCompilable', { path: { id }, body: { description: 'Invited to the tasting first.' } })
  const patch = [{ op: 'replace', path: '/preview/limit', value: 5 }]
  await call('patchCompilable', { path: { id }, body: patch, type: 'application/json-patch+json' })
  await call('executeCompilable', { path: { id }, body: { least: 150, top: 2 } })
  await call('previewCompilable', { path: { id }, body: { arguments: { least: 50, top: 2 }, limit: 2 } })
  const copy = await call('duplicateCompilable', { path: { id } })
  const template = {
    type: 'template',
    value: 'Dear {{ arguments.name }',
    parameters: [{ name: 'name', type: 'string' }],
  }
  await call('updateCompilable', { path: { id: copy.id }, body: { value: template }, shown: false })
  await call('listCompilableFlaws', { path: { id: copy.id } })
  await call('deleteCompilable', { path: { id: copy.id } })
}

export async function tellOfScripts(story: Story, segments: ShopSegments): Promise<void> {
  await runTierTask(story, await createTierTask(story))
  await createCompilables(story, segments)
}
