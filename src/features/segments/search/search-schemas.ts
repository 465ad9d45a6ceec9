import { type Static, Type } from 'typebox'
import { int32Limits } from '../../../lib/int32.ts'
import { ContactDocument } from '../../contacts/records/contact-schemas.ts'

const NullableCriteria = Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
  description: 'as of a segment',
})

/** A list of contacts that is asked for. */
export const ContactSearchBody = Type.Object({
  criteria: Type.Optional(
    Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
      description: 'as of a dynamic segment; absent or null: every contact',
    }),
  ),
  query: Type.Optional(
    Type.Union([Type.String({ maxLength: 500 }), Type.Null()], {
      description: 'an id, unicity, address or number, or a part of at least three characters of those',
    }),
  ),
  sort: Type.Optional(
    Type.Union(
      [
        Type.Object({
          by: Type.Optional(
            Type.Union([Type.String(), Type.Integer(int32Limits)], {
              description:
                'id (the default), creationDate, lastUpdateDate, or the id of a field with isCriterion that holds one value. ' +
                'Texts are sorted without regard to case and accents, labels by their index; contacts without a value stand at the end',
            }),
          ),
          order: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'ascending or descending; asc by default' })),
        }),
        Type.Null(),
      ],
      { description: 'how the list is sorted' },
    ),
  ),
  fields: Type.Optional(
    Type.Union([Type.Array(Type.Integer(int32Limits), { maxItems: 500 }), Type.Null()], {
      description: 'the fields that are shown; absent or null: all',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'contacts of a page: 50' })),
  after: Type.Optional(
    Type.Union([Type.String({ maxLength: 4000 }), Type.Null()], { description: 'the "next" of a page' }),
  ),
  at: Type.Optional(
    Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
      description: 'the page that begins at this share of the list, within 1 %; not beside after',
    }),
  ),
})
export type ContactSearchBody = Static<typeof ContactSearchBody>

const IsExact = Type.Boolean({ description: 'false: an estimate, as counting takes too long' })

export const ContactSearchPage = Type.Object({
  items: Type.Array(ContactDocument, { description: 'the items, in their order' }),
  total: Type.Integer({ description: 'contacts of the whole list; of a page behind another one, as of the first' }),
  exact: IsExact,
  next: Type.Union([Type.String(), Type.Null()], {
    description: 'what the next page is after; null: this is the last',
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
      'contacts by their id, unicity, address or number, or a part of at least three characters of those; everything ' +
      'else by its id, its name or a part of that. Without regard to case and accents',
  }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'results: 20' })),
})

/** Something that was found. */
export const ObjectSearchResult = Type.Object({
  type: Type.Enum(objectSearchTypes, { description: 'which of the possible kinds it is' }),
  id: Type.Union([Type.String(), Type.Integer()], { description: 'as its own operations have it' }),
  name: Type.String({ description: 'of a contact: its unicity' }),
  detail: Type.Union([Type.String(), Type.Null()], {
    description:
      'of a contact: the address or number that was found, where it is not the unicity; of others a word such as their type',
  }),
})
export type ObjectSearchResult = Static<typeof ObjectSearchResult>

export const SegmentPreviewBody = Type.Object({
  criteria: NullableCriteria,
  parentId: Type.Optional(Type.Union([Type.Integer(int32Limits), Type.Null()], { description: 'only its members' })),
})
export type SegmentPreviewBody = Static<typeof SegmentPreviewBody>

/** Preview of a dynamic segment with these criteria. */
export const DynamicSegmentPreview = Type.Object({
  count: Type.Integer({ description: 'how many there are' }),
  exact: IsExact,
  sample: Type.Array(ContactDocument, {
    maxItems: 10,
    description: 'of the newest members; empty when finding them takes too long',
  }),
  words: Type.Object(
    { en: Type.String({ description: 'in English' }), fr: Type.String({ description: 'in French' }) },
    { description: 'the criteria in words' },
  ),
})
export type DynamicSegmentPreview = Static<typeof DynamicSegmentPreview>
