import { type Static, Type } from 'typebox'
import { buildTaggedUnion, buildTypeTag } from '../../lib/type-tags.ts'

const TextSchema = Type.String({ maxLength: 100_000 })
const LinkAddressSchema = Type.String({
  maxLength: 8_000,
  description: 'may hold Liquid; `Unsubscribe`, `MirrorPage`, mailto:, tel:',
})
const ColourSchema = Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: '#1d5f5a' })

const RichTextInlineMark = buildTaggedUnion([
  Type.Object({ type: buildTypeTag('bold') }),
  Type.Object({ type: buildTypeTag('italic') }),
  Type.Object({ type: buildTypeTag('underline') }),
  Type.Object({ type: buildTypeTag('strike') }),
  Type.Object({
    type: buildTypeTag('colour'),
    attrs: Type.Object({ colour: ColourSchema }, { description: 'what it has beside its type' }),
  }),
  Type.Object({
    type: buildTypeTag('link'),
    attrs: Type.Object(
      {
        href: LinkAddressSchema,
        name: Type.Optional(Type.String({ maxLength: 80, description: 'of the link in results; absent: its text' })),
      },
      { description: 'what it has beside its type' },
    ),
  }),
])

const RichTextInline = buildTaggedUnion([
  Type.Object({
    type: buildTypeTag('text'),
    text: { ...TextSchema, description: 'the text, plain' },
    marks: Type.Optional(Type.Array(RichTextInlineMark, { maxItems: 6, description: 'formats of the text' })),
  }),
  Type.Object({
    type: buildTypeTag('value'),
    attrs: Type.Object(
      { code: Type.String({ maxLength: 2_000, description: 'Liquid: {{ contact.Firstname }}' }) },
      { description: 'what it has beside its type' },
    ),
    marks: Type.Optional(Type.Array(RichTextInlineMark, { maxItems: 6, description: 'formats of the text' })),
  }),
  Type.Object({ type: buildTypeTag('hardBreak') }),
])
export type RichTextInline = Static<typeof RichTextInline>
export type RichTextInlineMark = Static<typeof RichTextInlineMark>

const ParagraphSchema = Type.Object({
  type: buildTypeTag('paragraph'),
  attrs: Type.Optional(
    Type.Object(
      { align: Type.Optional(Type.Enum(['left', 'center', 'right'], { description: 'to which side it is set' })) },
      { description: 'what it has beside its type' },
    ),
  ),
  content: Type.Optional(Type.Array(RichTextInline, { maxItems: 1_000, description: 'what it says or holds' })),
})
const buildListSchema = <Name extends string>(type: Name) =>
  Type.Object({
    type: Type.Literal(type, { description: 'which of the possible kinds it is' }),
    content: Type.Array(
      Type.Object({
        type: buildTypeTag('listItem'),
        content: Type.Array(ParagraphSchema, { maxItems: 100, description: 'what it says or holds' }),
      }),
      { maxItems: 200, description: 'what it says or holds' },
    ),
  })

/** Formatted text as a tree of nodes, as editors built on ProseMirror write it. Values are Liquid. */
export const RichTextDocument = Type.Object(
  {
    type: buildTypeTag('doc'),
    content: Type.Array(
      buildTaggedUnion([ParagraphSchema, buildListSchema('bulletList'), buildListSchema('orderedList')]),
      { maxItems: 500, description: 'what it says or holds' },
    ),
  },
  { description: 'the text, plain' },
)
export type RichTextDocument = Static<typeof RichTextDocument>
export type RichTextBlockNode = RichTextDocument['content'][number]
