import { ActionIcon, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslator } from '../../../text/catalogue.ts'
import { NODE_GROUPS, WORKFLOW_NODE_KINDS } from '../model/kinds.ts'
import { workflowTexts } from '../texts.ts'
import { nodeTypeLabel } from '../type-words.ts'
import styles from '../WorkflowsPage.module.css'
import { DRAGGED_NODE_MIME_TYPE } from './dragged.ts'
import { GraphNodeIcon } from './GraphNode.tsx'

interface Props {
  onInsert(type: string): void
  onClose(): void
}

/** Arrows walk through the types, as in a list. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('input, [data-type]')]
  all.at((all.indexOf(document.activeElement as HTMLElement) + step) % all.length)?.focus()
}

/** Types of nodes to add: dragged onto the drawing, or pressed, which adds behind what is selected. */
export function NodePalette({ onInsert, onClose }: Props) {
  const t = useTranslator(workflowTexts)
  const [typed, setTyped] = useState('')
  const box = useRef<HTMLElement>(null)
  const isWanted = (type: string): boolean =>
    nodeTypeLabel(t, type).toLocaleLowerCase().includes(typed.toLocaleLowerCase())
  const first = (): string | undefined => box.current?.querySelector<HTMLElement>('[data-type]')?.dataset['type']
  return (
    <section
      ref={box}
      className={styles['palette']}
      aria-label={t('addNode')}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
        else walk(event)
      }}
    >
      <header>
        <TextInput
          size="xs"
          data-autofocus
          autoFocus
          aria-label={t('searchTypes')}
          placeholder={t('searchTypes')}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            const type = event.key === 'Enter' && typed !== '' ? first() : undefined
            if (event.key === 'Enter') event.preventDefault()
            if (type !== undefined) onInsert(type)
          }}
        />
        <ActionIcon variant="subtle" color="gray" aria-label={t('close')} onClick={onClose}>
          <IconX size={16} />
        </ActionIcon>
      </header>
      {NODE_GROUPS.map((group) => {
        const types = Object.keys(WORKFLOW_NODE_KINDS).filter(
          (type) => WORKFLOW_NODE_KINDS[type]?.group === group && isWanted(type),
        )
        return (
          types.length > 0 && (
            <div key={group} role="group" aria-label={t(group)}>
              <h2>{t(group)}</h2>
              {types.map((type) => (
                <button
                  key={type}
                  type="button"
                  draggable
                  data-type={type}
                  onDragStart={(event) => {
                    event.dataTransfer.setData(DRAGGED_NODE_MIME_TYPE, type)
                    event.dataTransfer.effectAllowed = 'copy'
                  }}
                  onClick={() => onInsert(type)}
                >
                  <GraphNodeIcon type={type} />
                  {nodeTypeLabel(t, type)}
                </button>
              ))}
            </div>
          )
        )
      })}
    </section>
  )
}
