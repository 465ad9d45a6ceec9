import { Type } from 'typebox'
import {
  buildApiPath,
  ifMatchHeader,
  type McpApiCaller,
  readApiResource,
  readTaggedResource,
  requestApiBody,
} from '../ask.ts'
import {
  confirmableArguments,
  defineMcpTool,
  listLimitSchema,
  McpJsonObject,
  numericIdSchema,
  readCallerIdentity,
  runWithConfirmation,
  searchTextSchema,
  toolArguments,
} from '../tool.ts'
import { wrapUntrusted } from '../untrusted.ts'

const SegmentId = numericIdSchema('segment')
const SegmentCriteria = McpJsonObject(
  'A group with one of all, any and none, each an array of groups and leaves; or a leaf such as {"type": "field", "field": 3, "operator": "equals", "value": "Lyon"}. Types of leaves: field, segment, redList, bounce, event, subscription, creationDate, lastUpdateDate.',
)
const ParentId = Type.Optional(
  Type.Integer({ minimum: 1, description: 'ID of the parent segment: only its contacts can match.' }),
)

interface CriteriaPreview {
  count: number
  exact: boolean
  words: { en: string; fr: string }
}

interface Segment {
  type: 'static' | 'dynamic'
  id: number
  targetsCount: number
  targetsCountExact: boolean
  criteria: unknown
  parentId: number | null
}

function previewCriteria(
  ask: McpApiCaller,
  body: { criteria: unknown; parentId?: number | null },
): Promise<CriteriaPreview> {
  return requestApiBody<CriteriaPreview>(ask, { method: 'POST', path: '/segments/preview', body })
}

/** Segments without their criteria, which describe_segment puts into words. */
export function summarizeSegments(segments: readonly object[]): object[] {
  return segments.map((segment) => {
    const { criteria, searchId, ...summary } = segment as Record<string, unknown>
    return summary
  })
}

const whoAmITool = defineMcpTool({
  name: 'who_am_i',
  title: 'Show my identity and rights',
  description: 'Returns the account you work in, your identity and your rights.',
  effect: 'reads',
  input: toolArguments({}),
  run: async (desk) => readCallerIdentity(desk),
})

const findObjectsTool = defineMcpTool({
  name: 'find_objects',
  title: 'Find objects by name',
  description: 'Finds contacts, messages, segments, workflows, fields, imports and all other named objects by a text.',
  effect: 'reads',
  input: toolArguments({ query: searchTextSchema('Part of the name.'), limit: listLimitSchema(100, 20) }),
  async run({ ask }, { query: q, limit = 20 }) {
    return { found: wrapUntrusted(await readApiResource(ask, '/search', { q, limit })) }
  },
})

const listSegmentsTool = defineMcpTool({
  name: 'list_segments',
  title: 'List segments',
  description: 'Lists segments with their numbers of contacts.',
  effect: 'reads',
  input: toolArguments({ limit: listLimitSchema(500, 100) }),
  async run({ ask }, { limit = 100 }) {
    return { segments: wrapUntrusted(summarizeSegments(await readApiResource<object[]>(ask, '/segments', { limit }))) }
  },
})

const describeSegmentTool = defineMcpTool({
  name: 'describe_segment',
  title: 'Describe a segment',
  description: 'Describes in words which contacts a segment selects, with their number and the objects that use it.',
  effect: 'reads',
  input: toolArguments({ id: SegmentId }),
  async run({ ask }, { id }) {
    const segment = await readApiResource<Segment>(ask, buildApiPath`/segments/${id}`)
    const { type, targetsCount: count, targetsCountExact: exact, criteria, parentId } = segment
    const segmentUses = wrapUntrusted(await readApiResource(ask, buildApiPath`/segments/${id}/links`))
    const segmentSummary = { id, type, count, exact, uses: segmentUses, segment: wrapUntrusted(segment) }
    if (type === 'static') return { ...segmentSummary, words: wrapUntrusted('contacts added one by one or by imports') }
    const { words: criteriaWords } = await previewCriteria(ask, { criteria, parentId })
    return { ...segmentSummary, words: wrapUntrusted(criteriaWords.en) }
  },
})

const countSegmentTool = defineMcpTool({
  name: 'count_segment',
  title: 'Count the contacts that match criteria',
  description: 'Counts the contacts that match criteria, and describes the criteria in words. Nothing is stored.',
  effect: 'reads',
  input: toolArguments({ criteria: SegmentCriteria, parentId: ParentId }),
  async run({ ask }, body) {
    const { count, exact, words: criteriaWords } = await previewCriteria(ask, body)
    return { count, exact, words: wrapUntrusted(criteriaWords.en) }
  },
})

const segmentMembers = {
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  description: Type.Optional(Type.String({ maxLength: 4000 })),
  type: Type.Optional(
    Type.Enum(['dynamic', 'static'], {
      description:
        'Of a new segment. `dynamic` (default): the criteria decide. `static`: imports and requests add contacts.',
    }),
  ),
  criteria: Type.Optional(SegmentCriteria),
  parentId: ParentId,
  isTest: Type.Optional(Type.Boolean({ description: 'True: a test segment, whose contacts get the proofs.' })),
  expiration: Type.Optional(Type.String({ maxLength: 40, description: 'Time after which nothing is sent to it.' })),
}

const saveSegmentTool = defineMcpTool({
  name: 'save_segment',
  title: 'Create or change a segment',
  description:
    'Creates a segment or, with `id`, changes one. Other criteria for a segment that is in use need a confirmation.',
  effect: 'acts',
  input: confirmableArguments({ id: Type.Optional(SegmentId), ...segmentMembers }),
  async run(desk, args) {
    const { ask } = desk
    const { id, confirmation, ...members } = args
    if (id === undefined) {
      const body = { type: 'dynamic', ...members }
      const created = await requestApiBody<Segment>(ask, { method: 'POST', path: '/segments', body })
      return { id: created.id, created: true }
    }
    const path = buildApiPath`/segments/${id}`
    const { body: segment, etag } = await readTaggedResource<Segment>(ask, path)
    const write = async () => {
      await requestApiBody(ask, { method: 'PUT', path, body: members, headers: ifMatchHeader(etag) })
      return { id, created: false }
    }
    const uses = await readApiResource<unknown[]>(ask, `${path}/links`)
    const changesMembers = members.criteria !== undefined || members.parentId !== undefined
    if (!changesMembers || uses.length === 0) return write()
    const { criteria = segment.criteria, parentId = segment.parentId } = members
    const { count, words: criteriaWords } = await previewCriteria(ask, { criteria, parentId })
    const pendingCall = {
      tool: 'save_segment',
      right: 'write',
      will: 'change which contacts are in a segment that is in use',
      object: { segment, uses },
      shown: { segment, uses, newCriteria: criteriaWords.en },
      count,
      of: 'contacts that would be in the segment',
    } as const
    return runWithConfirmation(desk, { ...pendingCall, args }, write)
  },
})

/** Tools for the account, its names and its segments. */
export const mcpSegmentTools = [
  whoAmITool,
  findObjectsTool,
  listSegmentsTool,
  describeSegmentTool,
  countSegmentTool,
  saveSegmentTool,
]
