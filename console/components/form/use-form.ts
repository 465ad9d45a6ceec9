import { useCallback, useEffect, useState } from 'react'
import { ApiRefusal } from '../../api/refusal.ts'
import { deleteUnsavedForm, readUnsavedForm, storeUnsavedForm, type UnsavedForm } from './drafts.ts'
import { listChangedPointers, setPointerValue } from './pointers.ts'

const DRAFT_PAUSE_MS = 400

/** A document of the service with its version. */
export interface StoredDocument<T> {
  data: T
  etag: string | null
}

interface Options<T> {
  /** What drafts are kept by, such as `segment.41`. */
  name: string
  stored: StoredDocument<T>
  /** What is proposed in its place, unsaved as if the person had entered it: what is stored, unless given. */
  first?: T
  /** Writes the document over the version that was read; answers what is stored then. */
  save(value: T, etag: string | null): Promise<StoredDocument<T>>
  /** Reads it anew, when it was changed meanwhile. */
  load(): Promise<StoredDocument<T>>
  onSaved?(stored: StoredDocument<T>): void
  /** What of it may be kept in this browser and shown beside another version: all of it, unless it holds secrets. */
  kept?: (value: T) => T
}

/** Another person saved meanwhile: what they stored, and the pointers of what differs. */
export interface SaveCollision<T> {
  theirs: StoredDocument<T>
  pointers: string[]
}

export interface FormState<T> {
  value: T
  /** How many members differ from what is stored. */
  changes: readonly string[]
  isSaving: boolean
  error: unknown
  collision: SaveCollision<T> | null
  /** What was left unsaved the last time; null: nothing, or it was taken up or dropped. */
  draft: UnsavedForm<T> | null
  /** The same function as long as the form is there. */
  set(pointer: string, value: unknown): void
  change(value: T): void
  /** The service's words on a member. */
  faultAt(pointer: string): string | undefined
  save(): Promise<boolean>
  /** Back to what is stored. */
  discard(): void
  takeDraft(): void
  dropDraft(): void
  /** Saves over what the other person stored, or takes that. */
  settle(choice: 'mine' | 'theirs'): Promise<void>
}

/** What a field needs of a form. */
export type FormBinding<T> = Pick<FormState<T>, 'value' | 'set' | 'faultAt'>

const whole = <T>(value: T): T => value

const faultsOf = (error: unknown) => (error instanceof ApiRefusal ? error.errors : [])

/** Keeps what is not saved in this browser, a moment after each change. */
function useDraftKeeping<T>(
  { name, base, kept }: { name: string; base: StoredDocument<T>; kept(value: T): T },
  value: T,
): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      const draft = kept(value)
      if (listChangedPointers(base.data, draft).length > 0) storeUnsavedForm(name, { value: draft, etag: base.etag })
    }, DRAFT_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [name, value, base, kept])
}

function useUnloadGuard(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isDirty])
}

/** Edits a document: faults by pointer, `If-Match`, drafts, and both versions where two people saved. */
export function useDocumentForm<T>(options: Options<T>): FormState<T> {
  const { name, stored, first = stored.data, save: write, load, onSaved, kept = whole } = options
  const [base, setBase] = useState(stored)
  const [value, setValue] = useState(first)
  const [draft, setDraft] = useState(() => readUnsavedForm<T>(name))
  const [error, setError] = useState<unknown>(null)
  const [isSaving, setSaving] = useState(false)
  const [collision, setCollision] = useState<SaveCollision<T> | null>(null)
  const changes = listChangedPointers(base.data, value)
  useDraftKeeping({ name, base, kept }, value)
  useUnloadGuard(changes.length > 0)

  /** `saved`: what was written; what was changed since stays as it is. */
  const settled = (next: StoredDocument<T>, saved = value): void => {
    setBase(next)
    setValue((now) => (now === saved ? next.data : now))
    setCollision(null)
    setError(null)
    setDraft(null)
    deleteUnsavedForm(name)
  }
  const attempt = async (mine: T, etag: string | null, isAgain = false): Promise<boolean> => {
    setSaving(true)
    setError(null)
    try {
      const next = await write(mine, etag)
      settled(next, mine)
      onSaved?.(next)
      return true
    } catch (thrown) {
      if (!(thrown instanceof ApiRefusal && thrown.status === 412)) setError(thrown)
      else {
        const theirs = await load()
        // The service counted meanwhile: of what is written here, nothing differs.
        if (!isAgain && listChangedPointers(theirs.data, base.data).length === 0)
          return await attempt(mine, theirs.etag, true)
        setCollision({ theirs, pointers: listChangedPointers(theirs.data, kept(mine)) })
      }
      return false
    } finally {
      setSaving(false)
    }
  }
  const set = useCallback(
    (pointer: string, next: unknown): void => setValue((before) => setPointerValue(before, pointer, next)),
    [],
  )
  return {
    ...{ value, changes, isSaving, error, collision, set },
    draft: draft && listChangedPointers(base.data, draft.value).length > 0 && changes.length === 0 ? draft : null,
    change: setValue,
    faultAt: (pointer) => faultsOf(error).find((fault) => fault.pointer === pointer)?.detail,
    save: () => attempt(value, base.etag),
    discard: () => settled(base),
    takeDraft: () => {
      if (draft) setValue(draft.value)
      setDraft(null)
    },
    dropDraft: () => {
      deleteUnsavedForm(name)
      setDraft(null)
    },
    settle: async (choice) => {
      if (!collision) return
      if (choice === 'theirs') return settled(collision.theirs)
      setCollision(null)
      await attempt(value, collision.theirs.etag)
    },
  }
}
