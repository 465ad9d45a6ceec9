import { ActionIcon, Button } from '@mantine/core'
import {
  IconArrowBackUp,
  IconArrowDown,
  IconArrowForwardUp,
  IconArrowUp,
  IconCopy,
  IconEye,
  IconSettings,
  IconTrash,
} from '@tabler/icons-react'
import { memo, type ReactNode, useRef } from 'react'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './Design.module.css'
import type { DesignEditorAction, DesignEditorState } from './model/desk.ts'
import { usePaletteDrag } from './model/drag.ts'
import { createDesignBlock } from './model/new-block.ts'
import { type ApiBlockKind, DESIGN_BLOCK_KINDS } from './model/shapes.ts'
import { SavedMenu } from './SavedMenu.tsx'
import { designTexts } from './texts.ts'

function BlockPaletteItem({ kind, act }: { kind: ApiBlockKind; act(act: DesignEditorAction): void }) {
  const t = useTranslator(designTexts)
  const ref = useRef<HTMLButtonElement>(null)
  usePaletteDrag(ref, kind)
  const insertBlock = (): void => act({ do: 'insert', block: createDesignBlock(kind, t) })
  return (
    <button ref={ref} type="button" className={styles['take']} onClick={insertBlock}>
      {t(kind)}
    </button>
  )
}

/** The blocks that can be dragged onto the canvas, or inserted after what is chosen. */
export const BlockPalette = memo(function BlockPalette({ act }: { act(act: DesignEditorAction): void }) {
  const t = useTranslator(designTexts)
  return (
    <div className={styles['palette']} role="group" aria-label={t('palette')} data-design-palette>
      {DESIGN_BLOCK_KINDS.map((kind) => (
        <BlockPaletteItem key={kind} kind={kind} act={act} />
      ))}
    </div>
  )
})

interface ToolButtonProps {
  label: string
  isOff?: boolean
  run(): void
  children: ReactNode
}

function ToolButton({ label, isOff = false, run, children }: ToolButtonProps) {
  return (
    <ActionIcon variant="default" size="md" aria-label={label} title={label} disabled={isOff} onClick={run}>
      {children}
    </ActionIcon>
  )
}

interface Props {
  canUndo: boolean
  canRedo: boolean
  isChosen: boolean
  isEmpty: boolean
  isReadOnly: boolean
  act(act: DesignEditorAction): void
  /** The editor as it is. */
  read(): DesignEditorState
  onPreview(): void
  /** Opens the settings if they are not shown next to the canvas. */
  onSettings?: (() => void) | undefined
}

/** Commands of the editor as buttons: whatever keys do. */
export const DesignToolbar = memo(function DesignToolbar({
  canUndo,
  canRedo,
  isChosen,
  isEmpty,
  isReadOnly,
  ...does
}: Props) {
  const t = useTranslator(designTexts)
  const { act, read: readDesk, onPreview, onSettings } = does
  return (
    <div className={styles['tools']} role="toolbar" aria-label={t('tools')}>
      {!isReadOnly && (
        <>
          <ToolButton label={t('undo')} isOff={!canUndo} run={() => act({ do: 'undo' })}>
            <IconArrowBackUp size={16} />
          </ToolButton>
          <ToolButton label={t('redo')} isOff={!canRedo} run={() => act({ do: 'redo' })}>
            <IconArrowForwardUp size={16} />
          </ToolButton>
          <ToolButton label={t('moveUp')} isOff={!isChosen} run={() => act({ do: 'step', step: -1 })}>
            <IconArrowUp size={16} />
          </ToolButton>
          <ToolButton label={t('moveDown')} isOff={!isChosen} run={() => act({ do: 'step', step: 1 })}>
            <IconArrowDown size={16} />
          </ToolButton>
          <ToolButton label={t('duplicate')} isOff={!isChosen} run={() => act({ do: 'duplicate' })}>
            <IconCopy size={16} />
          </ToolButton>
          <ToolButton label={t('remove')} isOff={!isChosen} run={() => act({ do: 'remove' })}>
            <IconTrash size={16} />
          </ToolButton>
          <SavedMenu isChosen={isChosen} isEmpty={isEmpty} read={readDesk} act={act} />
        </>
      )}
      {onSettings && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconSettings size={14} aria-hidden />}
          onClick={onSettings}
        >
          {t('settings')}
        </Button>
      )}
      <Button size="compact-sm" variant="default" leftSection={<IconEye size={14} aria-hidden />} onClick={onPreview}>
        {t('preview')}
      </Button>
    </div>
  )
})
