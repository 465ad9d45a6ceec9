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

interface RowsProps {
  onInsert(rows: readonly ApiDesignRow[]): void
}

function Saved({ id, name, updateDate, onInsert }: ListedApiDesign & RowsProps) {
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
export function SavedRows({ onInsert, onClose }: RowsProps & { onClose(): void }) {
  const t = useTranslator(designTexts)
  const saved = useSavedDesigns()
  const rows = saved.data?.filter(({ type }) => type === 'rows')
  return (
    <Modal opened onClose={onClose} title={t('insertRows')} size={720} closeButtonProps={{ 'aria-label': t('close') }}>
      {saved.error && <ProblemAlert error={saved.error} onRetry={() => void saved.refetch()} />}
      {saved.isPending && <LoadingSkeleton />}
      {rows?.length === 0 && <p>{t('noRows')}</p>}
      <ul className={cards['cards']}>
        {rows?.map((one) => (
          <Saved key={one.id} {...one} onInsert={onInsert} />
        ))}
      </ul>
    </Modal>
  )
}
