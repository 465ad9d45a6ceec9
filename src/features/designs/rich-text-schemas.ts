import { type Static, Type } from 'typebox'
import { buildTaggedUnion, buildTypeTag } from '../../lib/type-tags.ts'

const TextSchema = Type.String({ maxLength: 100_000 })
const LinkAddressSchema = Type.String({
  maxLength: 8_000,
  description: 'Target of the link: a URL, `mailto:`, `tel:`, Liquid, `Unsubscribe` or `MirrorPage`.',
})
const ColourSchema = Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'Colour as `#rrggbb`.' })

const RichTextInlineMark = buildTaggedUnion([
  Type.Object({ type: buildTypeTag('bold') }),
  Type.Object({ type: buildTypeTag('italic') }),
  Type.Object({ type: buildTypeTag('underline') }),
  Type.Object({ type: buildTypeTag('strike') }),
  Type.Object({
    type: buildTypeTag('colour'),
    attrs: Type.Object({ colour: ColourSchema }, { description: 'Attributes of the mark.' }),
  }),
  Type.Object({
    type: buildTypeTag('link'),
    attrs: Type.Object(
      {
        href: LinkAddressSchema,
        name: Type.Optional(
          Type.String({ maxLength: 80, description: 'Name of the link in reports. Absent: its text.' }),
        ),
      },
      { description: 'Attributes of the mark.' },
    ),
  }),
])

const RichTextInline = buildTaggedUnion([
  Type.Object({
    type: buildTypeTag('text'),
    text: { ...TextSchema, description: 'Text.' },
    marks: Type.Optional(Type.Array(RichTextInlineMark, { maxItems: 6, description: 'Formats of the text.' })),
  }),
  Type.Object({
    type: buildTypeTag('value'),
    attrs: Type.Object(
      {
        code: Type.String({ maxLength: 2_000, description: 'Liquid of the value, such as `{{ contact.Firstname }}`.' }),
      },
      { description: 'Attributes of the node.' },
    ),
    marks: Type.Optional(Type.Array(RichTextInlineMark, { maxItems: 6, description: 'Formats of the value.' })),
  }),
  Type.Object({ type: buildTypeTag('hardBreak') }),
])
export type RichTextInline = Static<typeof RichTextInline>
export type RichTextInlineMark = Static<typeof RichTextInlineMark>

const ParagraphSchema = Type.Object({
  type: buildTypeTag('paragraph'),
  attrs: Type.Optional(
    Type.Object(
      {
        align: Type.Optional(
          Type.Enum(['left', 'center', 'right'], { description: 'Horizontal alignment. Default: `left`.' }),
        ),
      },
      { description: 'Attributes of the node.' },
    ),
  ),
  content: Type.Optional(
    Type.Array(RichTextInline, { maxItems: 1_000, description: 'Texts, values and line breaks.' }),
  ),
})
const buildListSchema = <Name extends string>(type: Name) =>
  Type.Object({
    type: Type.Literal(type, { description: 'Type of the list: with bullets or with numbers.' }),
    content: Type.Array(
      Type.Object({
        type: buildTypeTag('listItem'),
        content: Type.Array(ParagraphSchema, { maxItems: 100, description: 'Paragraphs of the list item.' }),
      }),
      { maxItems: 200, description: 'List items.' },
    ),
  })

/** Formatted text as a tree of nodes, as editors built on ProseMirror write it. Values are Liquid. */
export const RichTextDocument = Type.Object(
  {
    type: buildTypeTag('doc'),
    content: Type.Array(
      buildTaggedUnion([ParagraphSchema, buildListSchema('bulletList'), buildListSchema('orderedList')]),
      { maxItems: 500, description: 'Paragraphs and lists.' },
    ),
  },
  { description: 'Formatted text.' },
)
export type RichTextDocument = Static<typeof RichTextDocument>
export type RichTextBlockNode = RichTextDocument['content'][number]
