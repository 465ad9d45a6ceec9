import { Extension, type Extensions, Mark, Node } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { formatLiquidChip } from './value.ts'

const alignExtension = Extension.create({
  name: 'align',
  addGlobalAttributes: () => [
    {
      types: ['paragraph'],
      attributes: {
        align: {
          default: null,
          parseHTML: ({ style }) => (['left', 'center', 'right'].includes(style.textAlign) ? style.textAlign : null),
          renderHTML: ({ align }) => (align ? { style: `text-align: ${align}` } : {}),
        },
      },
    },
  ],
})

/** An item has paragraphs alone: messages have no lists within lists. */
const listItemNode = Node.create({
  name: 'listItem',
  content: 'paragraph+',
  defining: true,
  parseHTML: () => [{ tag: 'li' }],
  renderHTML: () => ['li', 0],
  addKeyboardShortcuts() {
    return { Enter: () => this.editor.commands.splitListItem('listItem') }
  },
})

/** A link as a span: nothing in the editor leads anywhere. */
const linkMark = Mark.create({
  name: 'link',
  inclusive: false,
  addAttributes: () => ({
    href: { default: '', parseHTML: (element) => element.getAttribute('href') ?? element.dataset['href'] },
    name: { default: null, rendered: false },
  }),
  parseHTML: () => [{ tag: 'a[href]' }, { tag: 'span[data-href]' }],
  renderHTML: ({ mark }) => ['span', { 'data-href': mark.attrs['href'], title: mark.attrs['href'] }, 0],
})

const colourMark = Mark.create({
  name: 'colour',
  addAttributes: () => ({ colour: { default: '#000000', parseHTML: (element) => element.dataset['colour'] } }),
  parseHTML: () => [{ tag: 'span[data-colour]' }],
  renderHTML: ({ mark }) => {
    const colourText = String(mark.attrs['colour'])
    return ['span', { 'data-colour': colourText, style: `color: ${colourText}` }, 0]
  },
})

/** Liquid as one thing that is written and deleted whole. */
const valueNode = Node.create({
  name: 'value',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => ({ code: { default: '', parseHTML: (element) => element.dataset['code'] } }),
  parseHTML: () => [{ tag: 'span[data-code]' }],
  renderHTML: ({ node }) => ['span', { 'data-code': node.attrs['code'] }, formatLiquidChip(String(node.attrs['code']))],
  renderText: ({ node }) => String(node.attrs['code']),
})

/** Schema of formatted text in a message. Undo belongs to the design editor. */
export const richTextExtensions: Extensions = [
  StarterKit.configure({
    blockquote: false,
    code: false,
    codeBlock: false,
    heading: false,
    horizontalRule: false,
    link: false,
    listItem: false,
    listKeymap: false,
    trailingNode: false,
    undoRedo: false,
    dropcursor: false,
    gapcursor: false,
  }),
  alignExtension,
  listItemNode,
  linkMark,
  colourMark,
  valueNode,
]
