import { ActionIcon, Button, Group, Select, Tooltip } from '@mantine/core'
import {
  type Icon,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconClipboard,
  IconCopy,
  IconPlus,
  IconSitemap,
  IconTrash,
} from '@tabler/icons-react'
import { useRef } from 'react'
import { useShortcut } from '../../layout/dialogs/keys.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import type { WorkflowFormNode } from './model/graph.ts'
import { workflowTexts } from './texts.ts'
import { nodeTypeLabel } from './type-words.ts'
import type { WorkflowNodeCommands } from './use-acts.ts'
import type { WorkflowEditing } from './use-editing.ts'

interface ToolProps {
  icon: Icon
  label: string
  onClick(): void
  isOff?: boolean
}

function Tool({ icon: Shape, label, onClick, isOff = false }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" aria-label={label} onClick={onClick} disabled={isOff}>
        <Shape size={17} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

/** Finds a node by its name or id, and shows it. */
function FindNode({ steps, onFind }: { steps: readonly WorkflowFormNode[]; onFind(id: string): void }) {
  const t = useTranslator(workflowTexts)
  const input = useRef<HTMLInputElement>(null)
  useShortcut('/', t('findNode'), () => input.current?.focus())
  return (
    <Select
      ref={input}
      size="xs"
      w={190}
      searchable
      limit={50}
      aria-label={t('findNode')}
      placeholder={t('findNode')}
      nothingFoundMessage={t('noSuchNode')}
      data={steps.map(({ id, name, type }) => ({ value: id, label: `${name || nodeTypeLabel(t, type)} (${id})` }))}
      value={null}
      onChange={(id) => id !== null && onFind(id)}
    />
  )
}

interface Props {
  editing: WorkflowEditing
  acts: WorkflowNodeCommands
  selected: readonly string[]
  isOpen: boolean
  isPaletteOpen: boolean
  onPalette(): void
  onFind(id: string): void
  onLayOut(): void
}

/** What is done to the graph, and its keys. */
export function WorkflowToolbar({
  editing,
  acts,
  selected,
  isOpen,
  onPalette,
  isPaletteOpen,
  onFind,
  onLayOut,
}: Props) {
  const t = useTranslator(workflowTexts)
  const { undo, redo, canUndo, canRedo, form } = editing
  const hasNone = selected.length === 0
  useShortcut('mod+z', t('undo'), (event) => (event.shiftKey ? redo() : undo()), isOpen)
  useShortcut('mod+y', t('redo'), redo, isOpen)
  useShortcut('mod+c', t('copy'), undefined, isOpen)
  useShortcut('mod+v', t('paste'), undefined, isOpen)
  useShortcut('a', t('addNode'), onPalette, isOpen)
  useShortcut('l', t('layOut'), onLayOut)
  return (
    <Group gap={6} role="toolbar" aria-label={t('tools')}>
      {isOpen && (
        <>
          <Button
            size="xs"
            variant="default"
            aria-expanded={isPaletteOpen}
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={onPalette}
          >
            {t('addNode')}
          </Button>
          <Tool icon={IconArrowBackUp} label={t('undo')} onClick={undo} isOff={!canUndo} />
          <Tool icon={IconArrowForwardUp} label={t('redo')} onClick={redo} isOff={!canRedo} />
          <Tool icon={IconCopy} label={t('copy')} onClick={acts.copy} isOff={hasNone} />
          <Tool icon={IconClipboard} label={t('paste')} onClick={() => void acts.paste()} />
          <Tool icon={IconTrash} label={t('removeNode')} onClick={acts.removeSelected} isOff={hasNone} />
        </>
      )}
      <Tool icon={IconSitemap} label={t('layOut')} onClick={onLayOut} />
      <FindNode steps={form.value.nodes} onFind={onFind} />
    </Group>
  )
}
