import { Modal } from '@mantine/core'
import { useText } from '../../text/catalogue.ts'
import cards from '../layout/Cards.module.css'
import { Problem } from '../layout/Problem.tsx'
import { Skeleton } from '../layout/Skeleton.tsx'
import { useAct } from '../use-act.ts'
import { DesignPicture } from './DesignCard.tsx'
import type { Row } from './model/shapes.ts'
import { type ListedDesign, readDesign, useSavedDesigns } from './model/templates.ts'
import { designTexts } from './texts.ts'

interface RowsProps {
  onInsert(rows: readonly Row[]): void
}

function Saved({ id, name, updateDate, onInsert }: ListedDesign & RowsProps) {
  const { run, error } = useAct(async () => onInsert((await readDesign(id)).rows))
  return (
    <li>
      <button type="button" className={cards['card']} onClick={() => void run()}>
        <DesignPicture isRows name={['saved', id, updateDate]} title={name} load={(signal) => readDesign(id, signal)} />
        <span className={cards['words']}>
          <bdi>{name}</bdi>
        </span>
      </button>
      {error != null && <Problem error={error} />}
    </li>
  )
}

/** The saved rows of the account, as pictures: one is inserted. */
export function SavedRows({ onInsert, onClose }: RowsProps & { onClose(): void }) {
  const t = useText(designTexts)
  const saved = useSavedDesigns()
  const rows = saved.data?.filter(({ type }) => type === 'rows')
  return (
    <Modal opened onClose={onClose} title={t('insertRows')} size={720} closeButtonProps={{ 'aria-label': t('close') }}>
      {saved.error && <Problem error={saved.error} onRetry={() => void saved.refetch()} />}
      {saved.isPending && <Skeleton />}
      {rows?.length === 0 && <p>{t('noRows')}</p>}
      <ul className={cards['cards']}>
        {rows?.map((one) => (
          <Saved key={one.id} {...one} onInsert={onInsert} />
        ))}
      </ul>
    </Modal>
  )
}
