import { type Static, Type } from 'typebox'
import { COMPONENT_REF_KEYWORD } from '../../../lib/errors/schema-reference.ts'
import { int32Limits } from '../../../lib/int32.ts'
import { ContactDocument } from '../../contacts/records/contact-schemas.ts'

const NullableCriteria = Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
  description: 'Criteria, as in a dynamic segment. Null selects no contact.',
  [COMPONENT_REF_KEYWORD]: 'SegmentCriteria',
})

/** A list of contacts that is asked for. */
export const ContactSearchBody = Type.Object({
  criteria: Type.Optional(
    Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
      description: 'Criteria, as in a dynamic segment. Absent or null: every contact.',
      [COMPONENT_REF_KEYWORD]: 'SegmentCriteria',
    }),
  ),
  query: Type.Optional(
    Type.Union([Type.String({ maxLength: 500 }), Type.Null()], {
      description:
        'Text to find: an ID, a unicity, an address or a phone number, or at least three characters of one ' +
        'of them. Absent or null: no text condition.',
    }),
  ),
  sort: Type.Optional(
    Type.Union(
      [
        Type.Object({
          by: Type.Optional(
            Type.Union([Type.String(), Type.Integer(int32Limits)], {
              description:
                'Sort key: `id` (default), `creationDate`, `lastUpdateDate`, or the ID of a single-value field ' +
                'with `isCriterion`. Texts sort regardless of case and accents, list values by their index; ' +
                'contacts without a value come last.',
            }),
          ),
          order: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'Sort direction. Default: `asc`.' })),
        }),
        Type.Null(),
      ],
      { description: 'Order of the contacts. Absent or null: by ascending ID.' },
    ),
  ),
  fields: Type.Optional(
    Type.Union([Type.Array(Type.Integer(int32Limits), { maxItems: 500 }), Type.Null()], {
      description: 'IDs of the fields to return. Absent or null: all fields.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'Maximum number of contacts on the page. Default: 50.' }),
  ),
  after: Type.Optional(
    Type.Union([Type.String({ maxLength: 4000 }), Type.Null()], {
      description: 'Value of `next` on the previous page. Absent or null: the first page.',
    }),
  ),
  at: Type.Optional(
    Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
      description:
        'Start of the page as a share of the list, accurate to 1 %: 0.5 starts in the middle. Cannot be ' +
        'combined with `after`.',
    }),
  ),
})
export type ContactSearchBody = Static<typeof ContactSearchBody>

const IsExact = Type.Boolean({
  description: 'True if the number was counted; false if it is an estimate because counting takes too long.',
})

export const ContactSearchPage = Type.Object({
  items: Type.Array(ContactDocument, { description: 'Contacts of the page.' }),
  total: Type.Integer({
    description: 'Number of contacts in the whole list; a later page repeats the number of the first.',
  }),
  exact: IsExact,
  next: Type.Union([Type.String(), Type.Null()], {
    description: 'Value of `after` for the next page. Null: this is the last page.',
  }),
})
export type ContactSearchPage = Static<typeof ContactSearchPage>

export const objectSearchTypes = [
  'contact',
  'action',
  'rcs',
  'notification',
  'segment',
  'field',
  'valueList',
  'workflow',
  'webtask',
  'compilable',
  'campaign',
  'import',
  'importFormat',
  'profile',
  'rcsProfile',
  'application',
  'form',
  'category',
  'topic',
  'rule',
  'displayCampaign',
  'displayContent',
  'displayPlacement',
  'webhook',
] as const

export const ObjectSearchQuery = Type.Object({
  q: Type.String({
    maxLength: 500,
    description:
      'Text to find. Contacts match by ID, unicity, address or phone number, or by at least three ' +
      'characters of one of them; other objects by ID or by any part of the name. Case and accents are ' +
      'ignored.',
  }),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'Maximum number of results. Default: 20.' }),
  ),
})

/** Something that was found. */
export const ObjectSearchResult = Type.Object({
  type: Type.Enum(objectSearchTypes, { description: 'Type of the object.' }),
  id: Type.Union([Type.String(), Type.Integer()], { description: 'ID of the object.' }),
  name: Type.String({ description: 'Name of the object; unicity of a contact.' }),
  detail: Type.Union([Type.String(), Type.Null()], {
    description:
      'Further information, such as the type of a segment. For a contact: the matching address or number ' +
      'if it is not the unicity. Null: none.',
  }),
})
export type ObjectSearchResult = Static<typeof ObjectSearchResult>

export const SegmentPreviewBody = Type.Object({
  criteria: NullableCriteria,
  parentId: Type.Optional(
    Type.Union([Type.Integer(int32Limits), Type.Null()], {
      description: 'ID of the parent segment; only its members are selected. Absent or null: none.',
    }),
  ),
})
export type SegmentPreviewBody = Static<typeof SegmentPreviewBody>

/** Preview of a dynamic segment with these criteria. */
export const DynamicSegmentPreview = Type.Object({
  count: Type.Integer({ description: 'Number of members.' }),
  exact: IsExact,
  sample: Type.Array(ContactDocument, {
    maxItems: 10,
    description: 'The newest members, at most 10. Empty if finding them takes too long.',
  }),
  words: Type.Object(
    {
      en: Type.String({ description: 'Description in English.' }),
      fr: Type.String({ description: 'Description in French.' }),
    },
    { description: 'The criteria in plain language.' },
  ),
})
export type DynamicSegmentPreview = Static<typeof DynamicSegmentPreview>
