import { ActionIcon, Button, Popover, TextInput } from '@mantine/core'
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
import { useTranslator } from '../../text/catalogue.ts'
import { InsertFieldButton } from '../expression/InsertFieldButton.tsx'
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

function LinkButton({ editor, isActive }: { editor: Editor; isActive: boolean }) {
  const t = useTranslator(designTexts)
  const [isOpened, setOpened] = useState(false)
  const [href, setHref] = useState('')
  const openPopover = (): void => {
    setHref(String(editor.getAttributes('link')['href'] ?? ''))
    setOpened(true)
  }
  const applyLink = (event?: FormEvent): void => {
    event?.preventDefault()
    event?.stopPropagation()
    const chain = editor.chain().focus().extendMarkRange('link')
    const name = editor.getAttributes('link')['name']
    if (href.trim() === '') chain.unsetMark('link').run()
    else chain.setMark('link', { href: href.trim(), name }).run()
    setOpened(false)
  }
  return (
    <Popover opened={isOpened} onChange={setOpened} trapFocus withArrow>
      <Popover.Target>
        <ToolButton label={t('link')} isActive={isActive} run={openPopover}>
          <IconLink size={16} />
        </ToolButton>
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
              if (event.key === 'Enter') applyLink(event)
            }}
          />
          <Button size="xs" onClick={() => applyLink()}>
            {t('apply')}
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}

interface ToolButtonProps {
  label: string
  isActive?: boolean
  run(): void
  children: ReactNode
  ref?: React.Ref<HTMLButtonElement>
}

function ToolButton({ label, isActive = false, run, children, ref }: ToolButtonProps) {
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

/** Drawn again when the formatting at the cursor changes, not at each key. */
const FormattingToolbar = memo(function Toolbar({ editor }: { editor: Editor }) {
  const t = useTranslator(designTexts)
  const activeFormats = useEditorState({
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
  const nextAlign = activeFormats.centred ? null : 'center'
  return (
    <div className={styles['toolbar']} role="toolbar" aria-label={t('formatting')}>
      <ToolButton label={t('bold')} isActive={activeFormats.bold} run={() => run().toggleBold().run()}>
        <IconBold size={16} />
      </ToolButton>
      <ToolButton label={t('italic')} isActive={activeFormats.italic} run={() => run().toggleItalic().run()}>
        <IconItalic size={16} />
      </ToolButton>
      <ToolButton label={t('underline')} isActive={activeFormats.underline} run={() => run().toggleUnderline().run()}>
        <IconUnderline size={16} />
      </ToolButton>
      <LinkButton editor={editor} isActive={activeFormats.link} />
      <ToolButton label={t('bullets')} isActive={activeFormats.bullets} run={() => run().toggleBulletList().run()}>
        <IconList size={16} />
      </ToolButton>
      <ToolButton label={t('numbers')} isActive={activeFormats.numbers} run={() => run().toggleOrderedList().run()}>
        <IconListNumbers size={16} />
      </ToolButton>
      <ToolButton
        label={t('centred')}
        isActive={activeFormats.centred}
        run={() => run().updateAttributes('paragraph', { align: nextAlign }).run()}
      >
        <IconAlignCenter size={16} />
      </ToolButton>
      <InsertFieldButton onInsert={(code) => run().insertContent({ type: 'value', attrs: { code } }).run()} />
    </div>
  )
})

/** Formatted text that is written where it stands. */
export function RichTextEditor({ text, label, onChange }: Props) {
  const reportedTexts = useRef([text])
  // Made once: with options that are other objects, the editor would be set up again at each key.
  const [editorOptions] = useState<UseEditorOptions>(() => ({
    extensions: richTextExtensions,
    content: toEditorTree(text),
    // The console's policy lets no styles in but its own; Design.module.css has what the editor needs.
    injectCSS: false,
    autofocus: 'end',
    editorProps: { attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': label } },
  }))
  const editor = useEditor({
    ...editorOptions,
    onUpdate: (event) => {
      const nextText = fromEditorTree(event.editor.getJSON() as ApiRichTextNode)
      reportedTexts.current.push(nextText)
      onChange(nextText)
    },
  })
  useEffect(() => {
    // What was said here may come back late, when more is written already; else it was undone or pasted over from elsewhere.
    const reportedIndex = reportedTexts.current.indexOf(text)
    reportedTexts.current = reportedIndex < 0 ? [text] : reportedTexts.current.slice(reportedIndex)
    if (reportedIndex >= 0) return
    editor.commands.setContent(toEditorTree(text), { emitUpdate: false })
  }, [editor, text])
  return (
    <div className={styles['editing']}>
      <FormattingToolbar editor={editor} />
      <EditorContent editor={editor} className={styles['rich']} />
    </div>
  )
}
