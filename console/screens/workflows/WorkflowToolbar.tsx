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

interface ToolButtonProps {
  icon: Icon
  label: string
  onClick(): void
  isOff?: boolean
}

function ToolButton({ icon: Shape, label, onClick, isOff = false }: ToolButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" aria-label={label} onClick={onClick} disabled={isOff}>
        <Shape size={17} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

/** Finds a node by its name or id, and shows it. */
function NodeSearch({ steps, onFind }: { steps: readonly WorkflowFormNode[]; onFind(id: string): void }) {
  const t = useTranslator(workflowTexts)
  const inputRef = useRef<HTMLInputElement>(null)
  useShortcut('/', t('findNode'), () => inputRef.current?.focus())
  return (
    <Select
      ref={inputRef}
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

/** Commands on the graph, with their keys. */
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
  const hasNoSelection = selected.length === 0
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
          <ToolButton icon={IconArrowBackUp} label={t('undo')} onClick={undo} isOff={!canUndo} />
          <ToolButton icon={IconArrowForwardUp} label={t('redo')} onClick={redo} isOff={!canRedo} />
          <ToolButton icon={IconCopy} label={t('copy')} onClick={acts.copy} isOff={hasNoSelection} />
          <ToolButton icon={IconClipboard} label={t('paste')} onClick={() => void acts.paste()} />
          <ToolButton icon={IconTrash} label={t('removeNode')} onClick={acts.removeSelected} isOff={hasNoSelection} />
        </>
      )}
      <ToolButton icon={IconSitemap} label={t('layOut')} onClick={onLayOut} />
      <NodeSearch steps={form.value.nodes} onFind={onFind} />
    </Group>
  )
}
