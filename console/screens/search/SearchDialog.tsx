import { Modal } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { layoutTexts } from '../../layout/texts.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { type SearchEntry, useSearchEntries } from './entries.ts'
import styles from './SearchDialog.module.css'
import { searchTexts } from './texts.ts'

const GROUPS = ['found', 'screens', 'commands'] as const
const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

interface ListProps {
  id: string
  entries: readonly SearchEntry[]
  chosen: SearchEntry | undefined
  onChoose(entry: SearchEntry): void
  onRun(entry: SearchEntry): void
}

function Results({ id, entries, chosen, onChoose, onRun }: ListProps) {
  const t = useTranslator(searchTexts)
  return (
    <div id={id} role="listbox" aria-label={t('results')} className={styles['results']} tabIndex={-1}>
      {GROUPS.map((group) => {
        const own = entries.filter((entry) => entry.group === group)
        if (own.length === 0) return null
        return (
          <div key={group} role="group" aria-label={t(group)}>
            <div className={styles['group']} aria-hidden>
              {t(group)}
            </div>
            {own.map((entry) => (
              <div
                key={entry.key}
                id={`${id}-${entry.key}`}
                role="option"
                aria-selected={entry === chosen}
                className={styles['entry']}
                onPointerMove={() => onChoose(entry)}
                onClick={() => onRun(entry)}
                ref={(element) => {
                  if (entry === chosen) element?.scrollIntoView({ block: 'nearest' })
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
  const [t, frame] = [useTranslator(searchTexts), useTranslator(layoutTexts)]
  const id = useId()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState('')
  const { entries, error, isPending } = useSearchEntries(typed)
  const chosen = entries.find(({ key }) => key === at) ?? entries[0]
  const run = (entry: SearchEntry): void => {
    onClose()
    entry.run()
  }
  const press = (event: KeyboardEvent): void => {
    const step = STEPS[event.key]
    if (event.key === 'Enter' && chosen && !event.nativeEvent.isComposing) run(chosen)
    if (step === undefined || !chosen) return
    event.preventDefault()
    const next = (entries.indexOf(chosen) + step + entries.length) % entries.length
    setAt(entries[next]?.key ?? '')
  }
  return (
    <Modal.Root opened onClose={onClose} centered={false} yOffset="12dvh" size={600} padding={0}>
      <Modal.Overlay />
      <Modal.Content aria-label={frame('keySearch')}>
        <div className={styles['line']}>
          <IconSearch size={18} aria-hidden />
          <input
            data-autofocus
            role="combobox"
            aria-expanded
            aria-controls={id}
            aria-activedescendant={chosen && `${id}-${chosen.key}`}
            aria-label={frame('keySearch')}
            placeholder={t('hint')}
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value)
              setAt('')
            }}
            onKeyDown={press}
          />
          <kbd>Esc</kbd>
        </div>
        {error !== null && <ProblemAlert error={error} />}
        <Results id={id} entries={entries} chosen={chosen} onChoose={({ key }) => setAt(key)} onRun={run} />
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
