import { ActionIcon, Button, Popover, Select, TextInput } from '@mantine/core'
import {
  IconAlignCenter,
  IconBold,
  IconItalic,
  IconLink,
  IconList,
  IconListNumbers,
  IconUnderline,
} from '@tabler/icons-react'
import { type Editor, EditorContent, type UseEditorOptions, useEditor, useEditorState } from '@tiptap/react'
import { type FormEvent, memo, type ReactNode, useEffect, useRef, useState } from 'react'
import { useContactFields } from '../../api/definitions.ts'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './Design.module.css'
import { richTextExtensions } from './model/rich-schema.ts'
import type { ApiRichTextNode } from './model/shapes.ts'
import { fromEditorTree, toEditorTree } from './model/tree.ts'
import { designTexts } from './texts.ts'

interface Props {
  text: ApiRichTextNode
  label: string
  onChange(text: ApiRichTextNode): void
}

function LinkTool({ editor, isActive }: { editor: Editor; isActive: boolean }) {
  const t = useTranslator(designTexts)
  const [opened, setOpened] = useState(false)
  const [href, setHref] = useState('')
  const open = (): void => {
    setHref(String(editor.getAttributes('link')['href'] ?? ''))
    setOpened(true)
  }
  const set = (event?: FormEvent): void => {
    event?.preventDefault()
    event?.stopPropagation()
    const chain = editor.chain().focus().extendMarkRange('link')
    const name = editor.getAttributes('link')['name']
    if (href.trim() === '') chain.unsetMark('link').run()
    else chain.setMark('link', { href: href.trim(), name }).run()
    setOpened(false)
  }
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus withArrow>
      <Popover.Target>
        <Tool label={t('link')} isActive={isActive} run={open}>
          <IconLink size={16} />
        </Tool>
      </Popover.Target>
      <Popover.Dropdown>
        <div className={styles['linkForm']}>
          <TextInput
            size="xs"
            w={240}
            label={t('address')}
            value={href}
            onChange={(event) => setHref(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') set(event)
            }}
          />
          <Button size="xs" onClick={() => set()}>
            {t('apply')}
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}

interface ToolProps {
  label: string
  isActive?: boolean
  run(): void
  children: ReactNode
  ref?: React.Ref<HTMLButtonElement>
}

function Tool({ label, isActive = false, run, children, ref }: ToolProps) {
  return (
    <ActionIcon
      ref={ref ?? null}
      size="sm"
      variant={isActive ? 'filled' : 'subtle'}
      color={isActive ? undefined : 'gray'}
      aria-label={label}
      title={label}
      aria-pressed={isActive}
      onMouseDown={(event) => event.preventDefault()}
      onClick={run}
    >
      {children}
    </ActionIcon>
  )
}

function ValueTool({ editor }: { editor: Editor }) {
  const t = useTranslator(designTexts)
  const fields = useContactFields()
  const insert = (name: string | null): void => {
    if (name)
      editor
        .chain()
        .focus()
        .insertContent({ type: 'value', attrs: { code: `{{ contact.${name} }}` } })
        .run()
  }
  return (
    <Select
      size="xs"
      w={130}
      searchable
      aria-label={t('insertValue')}
      placeholder={t('insertValue')}
      data={(fields.data ?? []).map(({ name }) => name)}
      value={null}
      onChange={insert}
    />
  )
}

/** Drawn again when the formatting at the cursor changes, not at each key. */
const Toolbar = memo(function Toolbar({ editor }: { editor: Editor }) {
  const t = useTranslator(designTexts)
  const on = useEditorState({
    editor,
    selector: () => ({
      bold: editor.isActive('bold'),
      italic: editor.isActive('italic'),
      underline: editor.isActive('underline'),
      link: editor.isActive('link'),
      bullets: editor.isActive('bulletList'),
      numbers: editor.isActive('orderedList'),
      centred: editor.isActive({ align: 'center' }),
    }),
  })
  const run = () => editor.chain().focus()
  const align = on.centred ? null : 'center'
  return (
    <div className={styles['toolbar']} role="toolbar" aria-label={t('formatting')}>
      <Tool label={t('bold')} isActive={on.bold} run={() => run().toggleBold().run()}>
        <IconBold size={16} />
      </Tool>
      <Tool label={t('italic')} isActive={on.italic} run={() => run().toggleItalic().run()}>
        <IconItalic size={16} />
      </Tool>
      <Tool label={t('underline')} isActive={on.underline} run={() => run().toggleUnderline().run()}>
        <IconUnderline size={16} />
      </Tool>
      <LinkTool editor={editor} isActive={on.link} />
      <Tool label={t('bullets')} isActive={on.bullets} run={() => run().toggleBulletList().run()}>
        <IconList size={16} />
      </Tool>
      <Tool label={t('numbers')} isActive={on.numbers} run={() => run().toggleOrderedList().run()}>
        <IconListNumbers size={16} />
      </Tool>
      <Tool label={t('centred')} isActive={on.centred} run={() => run().updateAttributes('paragraph', { align }).run()}>
        <IconAlignCenter size={16} />
      </Tool>
      <ValueTool editor={editor} />
    </div>
  )
})

/** Formatted text that is written where it stands. */
export function RichTextEditor({ text, label, onChange }: Props) {
  const said = useRef([text])
  // Made once: with options that are other objects, the editor would be set up again at each key.
  const [options] = useState<UseEditorOptions>(() => ({
    extensions: richTextExtensions,
    content: toEditorTree(text),
    // The console's policy lets no styles in but its own; Design.module.css has what the editor needs.
    injectCSS: false,
    autofocus: 'end',
    editorProps: { attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': label } },
  }))
  const editor = useEditor({
    ...options,
    onUpdate: (event) => {
      const next = fromEditorTree(event.editor.getJSON() as ApiRichTextNode)
      said.current.push(next)
      onChange(next)
    },
  })
  useEffect(() => {
    // What was said here may come back late, when more is written already; else it was undone or pasted over from elsewhere.
    const at = said.current.indexOf(text)
    said.current = at < 0 ? [text] : said.current.slice(at)
    if (at >= 0) return
    editor.commands.setContent(toEditorTree(text), { emitUpdate: false })
  }, [editor, text])
  return (
    <div className={styles['editing']}>
      <Toolbar editor={editor} />
      <EditorContent editor={editor} className={styles['rich']} />
    </div>
  )
}
