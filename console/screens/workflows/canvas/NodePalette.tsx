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
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const focusStep = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (focusStep === undefined) return
  event.preventDefault()
  const focusableElements = [...event.currentTarget.querySelectorAll<HTMLElement>('input, [data-type]')]
  focusableElements
    .at((focusableElements.indexOf(document.activeElement as HTMLElement) + focusStep) % focusableElements.length)
    ?.focus()
}

/** Types of nodes to add: dragged onto the drawing, or pressed, which adds behind what is selected. */
export function NodePalette({ onInsert, onClose }: Props) {
  const t = useTranslator(workflowTexts)
  const [searchText, setSearchText] = useState('')
  const paletteRef = useRef<HTMLElement>(null)
  const isMatch = (type: string): boolean =>
    nodeTypeLabel(t, type).toLocaleLowerCase().includes(searchText.toLocaleLowerCase())
  const findFirstType = (): string | undefined =>
    paletteRef.current?.querySelector<HTMLElement>('[data-type]')?.dataset['type']
  return (
    <section
      ref={paletteRef}
      className={styles['palette']}
      aria-label={t('addNode')}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
        else moveFocus(event)
      }}
    >
      <header>
        <TextInput
          size="xs"
          data-autofocus
          autoFocus
          aria-label={t('searchTypes')}
          placeholder={t('searchTypes')}
          value={searchText}
          onChange={(event) => setSearchText(event.currentTarget.value)}
          onKeyDown={(event) => {
            const type = event.key === 'Enter' && searchText !== '' ? findFirstType() : undefined
            if (event.key === 'Enter') event.preventDefault()
            if (type !== undefined) onInsert(type)
          }}
        />
        <ActionIcon variant="subtle" color="gray" aria-label={t('close')} onClick={onClose}>
          <IconX size={16} />
        </ActionIcon>
      </header>
      {NODE_GROUPS.map((group) => {
        const matchingTypes = Object.keys(WORKFLOW_NODE_KINDS).filter(
          (type) => WORKFLOW_NODE_KINDS[type]?.group === group && isMatch(type),
        )
        return (
          matchingTypes.length > 0 && (
            <div key={group} role="group" aria-label={t(group)}>
              <h2>{t(group)}</h2>
              {matchingTypes.map((type) => (
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
