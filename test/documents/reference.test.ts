import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import { channelRedListNames } from '../../src/channels/channel-traits.ts'
import type { Db } from '../../src/database/connection/connect.ts'
import type { DB } from '../../src/database/tables.ts'
import { rcsActionStates } from '../../src/features/actions/rcs/rcs-action-schemas.ts'
import {
  type ActionOperation,
  type ActionPhase,
  type ActionRefusal,
  type ActionTransition,
  actionPhases,
  actionStates,
  actionStateTables,
} from '../../src/features/actions/resource/state-tables.ts'
import { approvalOutcomes, approvalStates } from '../../src/features/approvals/approval-schemas.ts'
import { bounceCodes } from '../../src/features/contacts/bounce-flags/bounce-codes.ts'
import { fieldTypes } from '../../src/features/contacts/fields/field-schemas.ts'
import { eventKindTable, eventTypes } from '../../src/features/events/kinds/event-kinds.ts'
import { listenedEventTypes } from '../../src/features/events/kinds/listened-types.ts'
import { jobStates } from '../../src/features/jobs/job-schemas.ts'
import { noticeTypes } from '../../src/features/notices/notices.ts'
import { SCOPE_ROOTS } from '../../src/features/rendering/scope.ts'
import { createLiquidEngine, runTemplate } from '../../src/features/rendering/templates/liquid.ts'
import { joinTextPieces } from '../../src/features/rendering/templates/pieces.ts'
import { parseCriteria } from '../../src/features/segments/criteria/criteria.ts'
import { criteriaTimeUnits } from '../../src/features/segments/criteria/criteria-types.ts'
import { comparisonByFieldType } from '../../src/features/segments/criteria/criterion-columns.ts'
import { fieldOperators, instantOperators } from '../../src/features/segments/criteria/field-operators.ts'
import { criteriaLeafKinds } from '../../src/features/segments/criteria/leaves.ts'
import { webhookEventType } from '../../src/features/webhooks/bodies.ts'
import { webhookEventNames } from '../../src/features/webhooks/webhook-schemas.ts'
import { nodeListShape } from '../../src/features/workflows/nodes/node-list-shape.ts'
import { workflowNodeTypes } from '../../src/features/workflows/nodes/node-types.ts'
import { workflowRunStatuses } from '../../src/features/workflows/runs/run-schemas.ts'
import { parseActionId } from '../../src/lib/ids.ts'

type Json = Record<string, unknown>

const readPage = (name: string): string => readFileSync(`docs/reference/${name}.md`, 'utf8')
const withoutBlocks = (text: string): string => text.replaceAll(/^```.*?^```$/gms, '')
const readJsonBlocks = (text: string): Json[] =>
  [...text.matchAll(/^```json\n(.*?)^```$/gms)].map(([, block = '']) => JSON.parse(block))

/** The cells of every row of the tables of a text, without headings. */
const readRows = (text: string): string[][] =>
  [...withoutBlocks(text).matchAll(/^\|(.*)\|$/gm)]
    .map(([, row = '']) => row.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|')))
    .filter(([first = '']) => !first.startsWith('---'))

/** The code in a cell, blanks at its ends included. */
const readCode = (cell = ''): string | undefined => /^`([^`]*)`$/.exec(cell)?.[1]
const listCodes = (text: string): string[] =>
  [...withoutBlocks(text).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code.replaceAll('\\|', '|'))

/** The text below a heading, up to the next one of its level or above. */
function readSection(text: string, heading: string): string {
  const level = heading.indexOf(' ')
  const start = text.indexOf(`\n${heading}\n`)
  assert.ok(start >= 0, `has no heading "${heading}"`)
  const rest = text.slice(start + heading.length + 2)
  const end = new RegExp(`^#{1,${level}} `, 'm').exec(rest)?.index ?? rest.length
  return rest.slice(0, end)
}

/** Those of some names that a text does not have as code. */
function findUndocumented(text: string, names: Iterable<string>): string[] {
  const codes = new Set(listCodes(text))
  return [...names].filter((name) => !codes.has(name))
}

/** A database that knows an account's definitions and nothing else: what criteria are read by. */
function createDefinitionsDb(answer: (query: CompiledQuery) => unknown[]): Db {
  class DefinitionsDriver extends DummyDriver {
    override async acquireConnection() {
      const connection = await super.acquireConnection()
      return Object.assign(connection, {
        executeQuery: async (query: CompiledQuery) => ({ rows: answer(query) as never[] }),
      })
    }
  }
  return new Kysely<DB>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DefinitionsDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
}

suite('docs/reference/criteria.md', () => {
  const page = readPage('criteria')
  const fieldRows = readRows(readSection(page, '## The example account')).filter(([id = '']) => /^\d+$/.test(id))
  const fieldTypesById = new Map(fieldRows.map(([id, , type]) => [Number(id), readCode(type)] as const))
  const known = { segments: [41, 42], actions: [parseActionId('000AB1')] }

  const db = createDefinitionsDb(({ sql, parameters }) => {
    if (sql.includes('join fields f'))
      return fieldRows.map(([id, name, type, labels]) => ({
        id: Number(id),
        name,
        type: readCode(type),
        is_unicity: id === '101',
        is_mandatory: id === '101',
        is_criterion: true,
        constraint_operator: null,
        constraint_value: null,
        value_list: labels === '' ? null : Number(id),
        settings: null,
        listening: [],
      }))
    if (sql.includes('from value_lists l'))
      return fieldRows
        .filter(([, , , labels]) => labels !== '')
        .map(([id, name, , labels = '']) => {
          const values = labels.split(', ').map((value, index) => ({ index: index + 1, value }))
          return { list: { id: Number(id), name, ordered: true, values } }
        })
    const ids = parameters.flat()
    return (sql.includes('segments') ? known.segments : known.actions)
      .filter((id) => ids.includes(id))
      .map((id) => ({ id }))
  })

  const inlineExamples = listCodes(page).filter((code) => code.startsWith('{"type": "') && !code.includes('…'))
  const [, segmentBlock = '{}'] = /^```json segment\n(.*?)^```$/ms.exec(page) ?? []
  const examples = [
    ...readJsonBlocks(page),
    JSON.parse(segmentBlock).criteria as Json,
    ...inlineExamples.map((code): Json => JSON.parse(code)).filter(({ type }) => type !== 'criteria'),
  ]
  const listLeaves = (node: Json): Json[] =>
    'type' in node ? [node] : Object.values(node).flatMap((nodes) => (nodes as Json[]).flatMap(listLeaves))
  const leaves = examples.flatMap(listLeaves)

  test('every example is valid', async () => {
    assert.ok(examples.length > 60)
    for (const criteria of examples)
      await assert.doesNotReject(parseCriteria(db, 1, criteria), `is refused: ${JSON.stringify(criteria)}`)
    await assert.rejects(parseCriteria(db, 1, { type: 'segment', segment: 43 }))
  })

  test('every type of leaf has an example', () => {
    const types = new Set(leaves.map(({ type }) => type))
    assert.deepEqual(
      Object.keys(criteriaLeafKinds).filter((type) => !types.has(type)),
      [],
    )
  })

  test('every operator of a field, by its type, has an example', () => {
    const shown = new Set(
      leaves
        .filter(({ type }) => type === 'field')
        .map(({ field, operator }) => {
          const type = fieldTypes.find((name) => name === fieldTypesById.get(Number(field)))
          return `${type && comparisonByFieldType[type]} ${operator}`
        }),
    )
    const missing = Object.entries(fieldOperators).flatMap(([comparison, operators]) =>
      Object.keys(operators)
        .map((operator) => `${comparison} ${operator}`)
        .filter((name) => !shown.has(name)),
    )
    assert.deepEqual(missing, [])
    assert.deepEqual(findUndocumented(readSection(page, '## Fields'), fieldTypes), [])
  })

  test('every operator of the dates of a contact has an example', () => {
    const shown = leaves.filter(({ type }) => type === 'creationDate' || type === 'lastUpdateDate')
    const operators = new Set(shown.map(({ operator }) => operator))
    assert.deepEqual(
      Object.keys(instantOperators).filter((operator) => !operators.has(operator)),
      [],
    )
  })

  test('every operator of a count of events has an example', async () => {
    const unknown = { type: 'event', event: 'hits', count: { operator: '?', value: 1 } }
    const problem = await parseCriteria(db, 1, unknown).then(
      () => undefined,
      (error) => error,
    )
    const operators = String(problem.errors[0].detail).replace('must be one of ', '').split(', ')
    assert.ok(operators.length > 5)
    const shown = new Set(leaves.map(({ count }) => (count as Json | undefined)?.['operator']))
    assert.deepEqual(
      operators.filter((operator) => !shown.has(operator)),
      [],
    )
  })

  test('lists every kind and type of events, unit of time, red list and bounce flag', () => {
    const kinds = eventKindTable.map(({ kind }) => kind)
    assert.deepEqual(findUndocumented(readSection(page, '## Events'), [...kinds, ...eventTypes]), [])
    assert.deepEqual(findUndocumented(page, [...criteriaTimeUnits, ...channelRedListNames]), [])
    const flags = readRows(readSection(page, '## Bounce flags')).map(([name, code, stops]) => [name, code, stops])
    for (const [name, { code, stops }] of Object.entries(bounceCodes))
      assert.ok(
        flags.some((flag) => String(flag) === `\`${name}\`,${code},${stops ? 'yes' : 'no'}`),
        name,
      )
  })
})

suite('docs/reference/templates.md', () => {
  const page = readPage('templates')
  const engine = createLiquidEngine('en-US', false)
  const rows = readRows(page)
  const [values = {}] = readJsonBlocks(readSection(page, '### Example values'))
  const now = Date.parse('2026-03-20T08:05:09Z')

  function render(template: string): string {
    const environment = { ...structuredClone(values), now: new Date(now).toISOString() }
    const state = { zone: 'Europe/Paris', now, track: (_: number, target: string) => target }
    const { fragments } = runTemplate(engine, engine.parse(template), { environment, bare: {}, strict: false, state })
    return joinTextPieces(fragments)
  }

  test('every tag and every filter has a row', () => {
    const names = new Set(rows.map(([first]) => readCode(first)))
    const { tags, filters } = engine.liquid
    assert.deepEqual(
      [...Object.keys(tags), ...Object.keys(filters)].filter((name) => !names.has(name)),
      [],
    )
  })

  test('every example of a tag or filter gives the result that is shown', () => {
    const shown = rows.flatMap(([name, , example, result]) => {
      const [template, text] = [readCode(example), readCode(result)]
      return template === undefined || text === undefined ? [] : [{ name, template, text }]
    })
    assert.ok(shown.length > 90, String(shown.length))
    for (const { name, template, text } of shown) assert.equal(render(template), text, String(name))
  })

  test('every directive of dates has a row with its result', () => {
    const directives = new Map(
      readRows(readSection(page, '## Dates')).flatMap(([directive, , result]): [string, string | undefined][] => {
        const code = readCode(directive)
        return code?.startsWith('%') ? [[code, readCode(result)]] : []
      }),
    )
    const format = (directive: string): string => render(`{{ now | date: "${directive}" }}`)
    const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ%'].map((letter) => `%${letter}`)
    const read = letters.filter((directive) => directive === '%%' || format(directive) !== directive)
    assert.ok(read.length > 40)
    assert.deepEqual(
      read.filter((directive) => !directives.has(directive)),
      [],
    )
    for (const [directive, result] of directives)
      if (result !== undefined) assert.equal(format(directive), result, directive)
  })

  test('lists every name that a template can use', () => {
    assert.deepEqual(findUndocumented(readSection(page, '## Values'), SCOPE_ROOTS), [])
  })
})

suite('docs/reference/events.md', () => {
  const page = readPage('events')

  test('every event of a webhook has a section, and every kind and notice an example', () => {
    const groups = new Set(
      webhookEventNames.filter((name) => webhookEventNames.some((one) => one.startsWith(`${name}/`))),
    )
    for (const name of webhookEventNames) {
      const section = readSection(page, name === 'custom' ? '## Custom events' : `### ${name}`)
      if (!groups.has(name)) assert.ok(readJsonBlocks(section).length > 0, name)
    }
    for (const type of noticeTypes) {
      const [notice] = readJsonBlocks(readSection(page, `### ${type}`))
      assert.deepEqual(Object.keys(notice ?? {}), ['type', 'id', 'timestamp', 'contact', 'data', 'stamp', 'depth'])
      assert.equal(notice?.['type'], type)
    }
  })

  test('lists the types of records and of webhook requests by kind, and no others', () => {
    const shown = new Map(
      readRows(readSection(page, '## Kinds of events')).flatMap(([first = '', type, types = '']) => {
        const [, kind] = /^\[`(.+)`\]/.exec(first) ?? []
        return kind === undefined ? [] : [[kind, { type: readCode(type), types: listCodes(types) }] as const]
      }),
    )
    for (const { kind, type, channels } of eventKindTable) {
      const types = channels.map((channel) => webhookEventType({ channel, kind }))
      assert.deepEqual(shown.get(kind), { type, types }, kind)
    }
    assert.deepEqual(
      [...shown.keys()].filter((kind) => !webhookEventNames.includes(kind)),
      [],
    )
  })

  test('lists every type of cancellation', () => {
    const source = readFileSync('src/features/events/kinds/cancellations.ts', 'utf8')
    const types = [...source.matchAll(/^ {2}\| '([^']+)'/gm)].map(([, type = '']) => type)
    assert.ok(types.length > 15)
    const shown = readRows(readSection(page, '### cancellations')).flatMap(([type]) => readCode(type) ?? [])
    assert.deepEqual(shown.slice(1), types)
  })
})

suite('docs/reference/workflow-nodes.md', () => {
  const page = readPage('workflow-nodes')
  const chapters = page.split(/^(?=## )/m)

  function readNodes(nodes: Json[]) {
    const faults: object[] = []
    const flaws: object[] = []
    const reading = { faults, strict: true, makeId: () => 'made' } as never
    const read = nodeListShape.read(nodes, { pointer: '', reading })
    if (faults.length === 0) nodeListShape.visit?.(read, '', { flaw: (flaw) => flaws.push(flaw) })
    return { read, faults: [...faults, ...flaws] }
  }

  for (const [type, { hasFailure }] of workflowNodeTypes)
    test(`${type} has a section with a valid example and all its settings`, () => {
      const heading = `### ${type}`
      const nodes = readJsonBlocks(readSection(page, heading)).filter((node) => node['type'] === type)
      assert.ok(nodes.length > 0, 'has no example')
      for (const node of nodes) assert.deepEqual(readNodes([node]).faults, [])
      const chapter = chapters.find((text) => text.includes(`\n${heading}\n`)) ?? ''
      const { settings, ...members } = readNodes([{ type, id: 'n' }]).read[0]!
      const own = Object.keys(members).filter((name) => !['type', 'id'].includes(name))
      assert.deepEqual(findUndocumented(readSection(page, '## Common members') + chapter, own), [])
      const names = Object.keys(settings).filter((name) => name !== 'failure')
      assert.deepEqual(findUndocumented(chapter, names), [])
      const row = readRows(readSection(page, '## Overview')).find(([first = '']) => first.startsWith(`[\`${type}\`]`))
      assert.equal(row?.[2], hasFailure ? 'yes' : '')
    })

  test('every example outside these sections is valid', () => {
    for (const node of readJsonBlocks(page)) assert.deepEqual(readNodes([node]).faults, [])
  })

  test('lists every event filter with its members', () => {
    const rows = readRows(readSection(page, '## Event filters'))
    for (const [type, { members }] of listenedEventTypes) {
      const row = rows.find(([types = '']) => listCodes(types).includes(type))
      assert.ok(row, type)
      assert.deepEqual(findUndocumented(row.join(' '), Object.keys(members)), [], type)
      const words = Object.values(members).flatMap((rule) => (rule.of === 'words' ? rule.words : []))
      const chapter = readSection(page, '## Event filters')
      assert.deepEqual(findUndocumented(chapter, words), [], type)
    }
  })
})

suite('docs/reference/action-states.md', () => {
  const page = readPage('action-states')
  const operations: Record<ActionOperation, string> = {
    read: 'Read',
    update: 'Change',
    delete: 'Delete',
    duplicate: 'Duplicate',
    test: 'Test',
    prove: 'Send proofs',
    validate: 'Validate',
    validateAtOnce: 'Validate without a test',
    unvalidate: 'Cancel the validation',
    render: 'Render',
    execute: 'Execute',
    pause: 'Pause',
    resume: 'Resume',
  }
  const phases: Record<ActionPhase, string> = {
    creation: '10',
    created: '20',
    testing: '30–36',
    tested: '38',
    validating: '40',
    validated: '50 message',
    planned: '50 campaign',
    sending: '55',
    paused: '55 paused',
    sent: '60',
    deleted: 'deleted',
  }
  const entries: Partial<Record<ActionTransition | ActionRefusal, string>> = {
    same: 'yes',
    judged: '→ 20 or 10',
    conflict: '409',
    busy: '409 retry',
    unknown: '404',
    gone: '410',
  }

  test('lists every state', () => {
    const states = readRows(readSection(page, '## States of actions')).map(([state]) => state)
    assert.deepEqual(states.slice(1), actionStates.map(String))
    assert.ok(page.includes(`have the states ${rcsActionStates.slice(0, -1).join(', ')} and ${rcsActionStates.at(-1)}`))
  })

  test('shows what every operation does in every state', () => {
    const [mailAndSms = '', rcs = ''] = readSection(page, '## Requests by state').split('RCS actions:')
    const tables = { action: readRows(mailAndSms), rcs: readRows(rcs) }
    for (const family of ['action', 'rcs'] as const) {
      const [, ...labels] = tables[family].find(([first]) => first === 'Operation') ?? []
      assert.ok(labels.length > 7)
      for (const operation of Object.keys(actionStateTables[family]) as ActionOperation[]) {
        const expected = labels.map((label) => {
          const phase = (Object.keys(actionPhases) as ActionPhase[]).find((name) => phases[name] === label)
          assert.ok(phase, label)
          const outcome = actionStateTables[family][operation]?.in[phase] ?? 'conflict'
          return entries[outcome] ?? `→ ${outcome}`
        })
        const cells = tables[family].find(([first]) => first === operations[operation])
        assert.deepEqual(cells?.slice(1), expected, `${family} ${operation}`)
      }
    }
  })

  test('lists every state of runs, approvals and jobs', () => {
    const sections = {
      '### Runs': workflowRunStatuses,
      '## Approvals': [...approvalStates, ...approvalOutcomes],
      '## Jobs': jobStates,
    }
    for (const [heading, states] of Object.entries(sections))
      assert.deepEqual(findUndocumented(readSection(page, heading), states), [])
  })
})
