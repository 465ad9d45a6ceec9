import { Type } from 'typebox'
import { buildApiPath, readApiResource, requestApiBody } from '../ask.ts'
import { defineMcpTool, listLimitSchema, McpJsonObject, readCallerIdentity } from '../tool.ts'
import { wrapUntrusted } from '../untrusted.ts'

const closedSchema = { additionalProperties: false }
const SegmentId = Type.Integer({ minimum: 1, description: 'ID of the segment.' })
const SegmentCriteria = McpJsonObject(
  'Criteria: a group with one of all, any and none, each an array of groups and leaves; or a leaf such as {"type": "field", "field": 3, "operator": "equals", "value": "Lyon"}. Types of leaves: field, segment, redList, bounce, event, subscription, creationDate, lastUpdateDate.',
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

const whoAmITool = defineMcpTool({
  name: 'who_am_i',
  title: 'Show my identity and rights',
  description: 'Returns the account you work in, your identity and your rights.',
  effect: 'reads',
  input: Type.Object({}, closedSchema),
  run: async (desk) => readCallerIdentity(desk),
})

const findObjectsTool = defineMcpTool({
  name: 'find_objects',
  title: 'Find objects by name',
  description:
    'Finds contacts, messages, segments, workflows, fields, campaigns and all other named objects by a text.',
  effect: 'reads',
  input: Type.Object(
    { text: Type.String({ minLength: 1, maxLength: 500 }), limit: listLimitSchema(100, 20) },
    closedSchema,
  ),
  async run({ ask }, { text, limit = 20 }) {
    return { found: wrapUntrusted(await readApiResource(ask, '/search', { q: text, limit })) }
  },
})

const listSegmentsTool = defineMcpTool({
  name: 'list_segments',
  title: 'List segments',
  description: 'Lists segments with their number of contacts.',
  effect: 'reads',
  input: Type.Object({ limit: listLimitSchema(500, 100) }, closedSchema),
  async run({ ask }, { limit = 100 }) {
    return { segments: wrapUntrusted(await readApiResource(ask, '/segments', { limit })) }
  },
})

const describeSegmentTool = defineMcpTool({
  name: 'describe_segment',
  title: 'Describe a segment',
  description:
    'Describes in words which contacts a segment selects, and returns their number and the objects that use the segment.',
  effect: 'reads',
  input: Type.Object({ segment: SegmentId }, closedSchema),
  async run({ ask }, { segment: id }) {
    const segment = await readApiResource<Segment>(ask, buildApiPath`/segments/${id}`)
    const { type, targetsCount: count, targetsCountExact: exact, criteria, parentId } = segment
    const segmentUses = wrapUntrusted(await readApiResource(ask, buildApiPath`/segments/${id}/links`))
    const segmentSummary = { id, type, count, exact, uses: segmentUses, segment: wrapUntrusted(segment) }
    if (type === 'static') return { ...segmentSummary, words: wrapUntrusted('contacts added one by one or by imports') }
    const body = { criteria, parentId }
    const { words: criteriaWords } = await requestApiBody<CriteriaPreview>(ask, {
      method: 'POST',
      path: '/segments/preview',
      body,
    })
    return { ...segmentSummary, words: wrapUntrusted(criteriaWords.en) }
  },
})

const countSegmentTool = defineMcpTool({
  name: 'count_segment',
  title: 'Count the contacts that match criteria',
  description: 'Counts the contacts that match criteria, and describes the criteria in words. Nothing is stored.',
  effect: 'reads',
  input: Type.Object({ criteria: SegmentCriteria, parentId: Type.Optional(SegmentId) }, closedSchema),
  async run({ ask }, body) {
    const preview = await requestApiBody<CriteriaPreview>(ask, { method: 'POST', path: '/segments/preview', body })
    const { count, exact, words: criteriaWords } = preview
    return { count, exact, words: wrapUntrusted(criteriaWords.en) }
  },
})

const createSegmentTool = defineMcpTool({
  name: 'create_segment',
  title: 'Create a segment',
  description: 'Creates a dynamic segment with the given criteria. Nothing is sent.',
  effect: 'drafts',
  input: Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 200 }),
      criteria: SegmentCriteria,
      isTest: Type.Optional(Type.Boolean({ description: 'True: a test segment, whose contacts get the proofs.' })),
    },
    closedSchema,
  ),
  async run({ ask }, segmentInput) {
    const body = { type: 'dynamic', ...segmentInput }
    const segment = await requestApiBody<Segment>(ask, { method: 'POST', path: '/segments', body })
    return { id: segment.id, segment: wrapUntrusted(segment) }
  },
})

/** Tools that read the account, its names and its segments. */
export const mcpSegmentTools = [
  whoAmITool,
  findObjectsTool,
  listSegmentsTool,
  describeSegmentTool,
  countSegmentTool,
  createSegmentTool,
]
