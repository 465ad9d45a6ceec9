import { Modal } from '@mantine/core'
import { useTranslator } from '../../text/catalogue.ts'
import cards from '../layout/Cards.module.css'
import { LoadingSkeleton } from '../layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../layout/ProblemAlert.tsx'
import { useAsyncAction } from '../use-act.ts'
import { DesignThumbnail } from './DesignCard.tsx'
import type { ApiDesignRow } from './model/shapes.ts'
import { type ListedApiDesign, readApiDesign, useSavedDesigns } from './model/templates.ts'
import { designTexts } from './texts.ts'

interface SavedRowsProps {
  onInsert(rows: readonly ApiDesignRow[]): void
}

function SavedRowItem({ id, name, updateDate, onInsert }: ListedApiDesign & SavedRowsProps) {
  const { run, error } = useAsyncAction(async () => onInsert((await readApiDesign(id)).rows))
  return (
    <li>
      <button type="button" className={cards['card']} onClick={() => void run()}>
        <DesignThumbnail
          isRows
          name={['saved', id, updateDate]}
          title={name}
          load={(signal) => readApiDesign(id, signal)}
        />
        <span className={cards['words']}>
          <bdi>{name}</bdi>
        </span>
      </button>
      {error != null && <ProblemAlert error={error} />}
    </li>
  )
}

/** The saved rows of the account, as pictures: one is inserted. */
export function SavedRows({ onInsert, onClose }: SavedRowsProps & { onClose(): void }) {
  const t = useTranslator(designTexts)
  const savedDesigns = useSavedDesigns()
  const rows = savedDesigns.data?.filter(({ type }) => type === 'rows')
  return (
    <Modal opened onClose={onClose} title={t('insertRows')} size={720} closeButtonProps={{ 'aria-label': t('close') }}>
      {savedDesigns.error && <ProblemAlert error={savedDesigns.error} onRetry={() => void savedDesigns.refetch()} />}
      {savedDesigns.isPending && <LoadingSkeleton />}
      {rows?.length === 0 && <p>{t('noRows')}</p>}
      <ul className={cards['cards']}>
        {rows?.map((savedRow) => (
          <SavedRowItem key={savedRow.id} {...savedRow} onInsert={onInsert} />
        ))}
      </ul>
    </Modal>
  )
}
