import { type Static, Type } from 'typebox'
import { buildTaggedUnion } from '../../lib/type-tags.ts'

const TextSchema = Type.String({ maxLength: 100_000 })
const LinkAddressSchema = Type.String({
  maxLength: 8_000,
  description: 'may hold Liquid; `Unsubscribe`, `MirrorPage`, mailto:, tel:',
})
const ColourSchema = Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: '#1d5f5a' })

const RichTextInlineMark = buildTaggedUnion([
  Type.Object({ type: Type.Literal('bold') }),
  Type.Object({ type: Type.Literal('italic') }),
  Type.Object({ type: Type.Literal('underline') }),
  Type.Object({ type: Type.Literal('strike') }),
  Type.Object({
    type: Type.Literal('colour'),
    attrs: Type.Object({ colour: ColourSchema }, { description: 'what it has beside its type' }),
  }),
  Type.Object({
    type: Type.Literal('link'),
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
    type: Type.Literal('text'),
    text: TextSchema,
    marks: Type.Optional(Type.Array(RichTextInlineMark, { maxItems: 6, description: 'formats of the text' })),
  }),
  Type.Object({
    type: Type.Literal('value'),
    attrs: Type.Object(
      { code: Type.String({ maxLength: 2_000, description: 'Liquid: {{ contact.Firstname }}' }) },
      { description: 'what it has beside its type' },
    ),
    marks: Type.Optional(Type.Array(RichTextInlineMark, { maxItems: 6, description: 'formats of the text' })),
  }),
  Type.Object({ type: Type.Literal('hardBreak') }),
])
export type RichTextInline = Static<typeof RichTextInline>
export type RichTextInlineMark = Static<typeof RichTextInlineMark>

const ParagraphSchema = Type.Object({
  type: Type.Literal('paragraph'),
  attrs: Type.Optional(
    Type.Object(
      { align: Type.Optional(Type.Enum(['left', 'center', 'right'], { description: 'to which side it is set' })) },
      { description: 'what it has beside its type' },
    ),
  ),
  content: Type.Optional(Type.Array(RichTextInline, { maxItems: 1_000 })),
})
const buildListSchema = <Name extends string>(type: Name) =>
  Type.Object({
    type: Type.Literal(type),
    content: Type.Array(
      Type.Object({ type: Type.Literal('listItem'), content: Type.Array(ParagraphSchema, { maxItems: 100 }) }),
      { maxItems: 200 },
    ),
  })

/** Formatted text as a tree of nodes, as editors built on ProseMirror write it. Values are Liquid. */
export const RichTextDocument = Type.Object({
  type: Type.Literal('doc'),
  content: Type.Array(
    buildTaggedUnion([ParagraphSchema, buildListSchema('bulletList'), buildListSchema('orderedList')]),
    { maxItems: 500 },
  ),
})
export type RichTextDocument = Static<typeof RichTextDocument>
export type RichTextBlockNode = RichTextDocument['content'][number]
