import { Modal } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { receiveTypeAhead, stopTypeAhead } from '../../layout/dialogs/type-ahead.ts'
import { layoutTexts } from '../../layout/texts.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { type SearchEntry, useSearchEntries } from './entries.ts'
import styles from './SearchDialog.module.css'
import { searchTexts } from './texts.ts'

const ENTRY_GROUPS = ['found', 'screens', 'commands'] as const
const KEY_STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

interface ResultListProps {
  id: string
  entries: readonly SearchEntry[]
  chosen: SearchEntry | undefined
  onChoose(entry: SearchEntry): void
  onRun(entry: SearchEntry): void
}

function ResultList({ id, entries, chosen: chosenEntry, onChoose, onRun }: ResultListProps) {
  const t = useTranslator(searchTexts)
  return (
    <div id={id} role="listbox" aria-label={t('results')} className={styles['results']} tabIndex={-1}>
      {ENTRY_GROUPS.map((group) => {
        const groupEntries = entries.filter((entry) => entry.group === group)
        if (groupEntries.length === 0) return null
        return (
          <div key={group} role="group" aria-label={t(group)}>
            <div className={styles['group']} aria-hidden>
              {t(group)}
            </div>
            {groupEntries.map((entry) => (
              <div
                key={entry.key}
                id={`${id}-${entry.key}`}
                role="option"
                aria-selected={entry === chosenEntry}
                className={styles['entry']}
                onPointerMove={() => onChoose(entry)}
                onClick={() => onRun(entry)}
                ref={(element) => {
                  if (entry === chosenEntry) element?.scrollIntoView({ block: 'nearest' })
                }}
              >
                <bdi className={styles['name']}>{entry.name}</bdi>
                {entry.detail && <small>{entry.detail}</small>}
              </div>
            ))}
          </div>
        )
      })}
    </div>
  )
}

/** Everything by its name: contacts, objects, screens, commands. */
export default function SearchDialog({ onClose }: { onClose(): void }) {
  const [t, layoutT] = [useTranslator(searchTexts), useTranslator(layoutTexts)]
  const id = useId()
  const [typedText, setTypedText] = useState('')
  useEffect(() => receiveTypeAhead((text) => setTypedText((before) => before + text)), [])
  const [activeKey, setActiveKey] = useState('')
  const { entries, error, isPending } = useSearchEntries(typedText)
  const chosenEntry = entries.find(({ key }) => key === activeKey) ?? entries[0]
  const runEntry = (entry: SearchEntry): void => {
    onClose()
    entry.run()
  }
  const handleKey = (event: KeyboardEvent): void => {
    const keyStep = KEY_STEPS[event.key]
    if (event.key === 'Enter' && chosenEntry && !event.nativeEvent.isComposing) runEntry(chosenEntry)
    if (keyStep === undefined || !chosenEntry) return
    event.preventDefault()
    const nextIndex = (entries.indexOf(chosenEntry) + keyStep + entries.length) % entries.length
    setActiveKey(entries[nextIndex]?.key ?? '')
  }
  return (
    <Modal.Root opened onClose={onClose} centered={false} yOffset="12dvh" size={600} padding={0}>
      <Modal.Overlay />
      <Modal.Content aria-label={layoutT('keySearch')}>
        <div className={styles['line']}>
          <IconSearch size={18} aria-hidden />
          <input
            data-autofocus
            role="combobox"
            aria-expanded
            aria-controls={id}
            aria-activedescendant={chosenEntry && `${id}-${chosenEntry.key}`}
            aria-label={layoutT('keySearch')}
            placeholder={t('hint')}
            value={typedText}
            onFocus={stopTypeAhead}
            onChange={(event) => {
              setTypedText(event.currentTarget.value)
              setActiveKey('')
            }}
            onKeyDown={handleKey}
          />
          <kbd>Esc</kbd>
        </div>
        {error !== null && <ProblemAlert error={error} />}
        <ResultList
          id={id}
          entries={entries}
          chosen={chosenEntry}
          onChoose={({ key }) => setActiveKey(key)}
          onRun={runEntry}
        />
        {entries.length === 0 && !isPending && (
          <div className={styles['none']}>
            <strong>{t('none')}</strong>
            <p>{t('noneWhy')}</p>
          </div>
        )}
      </Modal.Content>
    </Modal.Root>
  )
}
