import { useCallback, useEffect, useState } from 'react'
import { ApiRefusal } from '../../api/refusal.ts'
import { deleteUnsavedForm, readUnsavedForm, storeUnsavedForm, type UnsavedForm } from './drafts.ts'
import { listChangedPointers, setPointerValue } from './pointers.ts'

const AUTOSAVE_DELAY_MS = 400

/** A document of the service with its version. */
export interface StoredDocument<T> {
  data: T
  etag: string | null
}

interface FormOptions<T> {
  /** Storage key of unsaved changes, such as `segment.41`. */
  name: string
  stored: StoredDocument<T>
  /** Initial value, treated as an unsaved edit of the user; defaults to the stored document. */
  first?: T
  /** Writes the document over the version that was read; answers what is stored then. */
  save(value: T, etag: string | null): Promise<StoredDocument<T>>
  /** Reads the document again after somebody else changed it. */
  load(): Promise<StoredDocument<T>>
  onSaved?(storedDocument: StoredDocument<T>): void
  /** Returns the part that this browser may store and show next to another version: everything unless it contains secrets. */
  kept?: (value: T) => T
}

/** Another person saved meanwhile: what they stored, and the pointers of what differs. */
export interface SaveCollision<T> {
  theirs: StoredDocument<T>
  pointers: string[]
}

export interface FormState<T> {
  value: T
  /** Pointers of the members that differ from the stored document. */
  changes: readonly string[]
  isSaving: boolean
  error: unknown
  collision: SaveCollision<T> | null
  /** Changes left unsaved the last time; null if there are none, or they were restored or discarded. */
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

/** The part of a form that a field depends on. */
export type FormBinding<T> = Pick<FormState<T>, 'value' | 'set' | 'faultAt'>

const identity = <T>(value: T): T => value

const extractFaults = (error: unknown) => (error instanceof ApiRefusal ? error.errors : [])

/** Keeps what is not saved in this browser, a moment after each change. */
function useUnsavedFormStorage<T>(
  { name, base, kept: toStorable }: { name: string; base: StoredDocument<T>; kept(value: T): T },
  value: T,
): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      const storableValue = toStorable(value)
      if (listChangedPointers(base.data, storableValue).length > 0)
        storeUnsavedForm(name, { value: storableValue, etag: base.etag })
    }, AUTOSAVE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [name, value, base, toStorable])
}

function useUnloadGuard(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return
    const preventUnload = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', preventUnload)
    return () => removeEventListener('beforeunload', preventUnload)
  }, [isDirty])
}

/** Edits a document: faults by pointer, `If-Match`, drafts, and both versions where two people saved. */
export function useDocumentForm<T>(options: FormOptions<T>): FormState<T> {
  const {
    name,
    stored: storedDocument,
    first = storedDocument.data,
    save: write,
    load,
    onSaved,
    kept: toStorable = identity,
  } = options
  const [baseDocument, setBaseDocument] = useState(storedDocument)
  const [value, setValue] = useState(first)
  const [unsavedForm, setUnsavedForm] = useState(() => readUnsavedForm<T>(name))
  const [error, setError] = useState<unknown>(null)
  const [isSaving, setSaving] = useState(false)
  const [collision, setCollision] = useState<SaveCollision<T> | null>(null)
  const changedPointers = listChangedPointers(baseDocument.data, value)
  useUnsavedFormStorage({ name, base: baseDocument, kept: toStorable }, value)
  useUnloadGuard(changedPointers.length > 0)

  /** `saved`: what was written; what was changed since stays as it is. */
  const applyStored = (next: StoredDocument<T>, saved = value): void => {
    setBaseDocument(next)
    setValue((now) => (now === saved ? next.data : now))
    setCollision(null)
    setError(null)
    setUnsavedForm(null)
    deleteUnsavedForm(name)
  }
  const attemptSave = async (mine: T, etag: string | null, isAgain = false): Promise<boolean> => {
    setSaving(true)
    setError(null)
    try {
      const savedDocument = await write(mine, etag)
      applyStored(savedDocument, mine)
      onSaved?.(savedDocument)
      return true
    } catch (saveError) {
      if (!(saveError instanceof ApiRefusal && saveError.status === 412)) setError(saveError)
      else {
        const theirDocument = await load()
        // The service counted meanwhile: of what is written here, nothing differs.
        if (!isAgain && listChangedPointers(theirDocument.data, baseDocument.data).length === 0)
          return await attemptSave(mine, theirDocument.etag, true)
        setCollision({ theirs: theirDocument, pointers: listChangedPointers(theirDocument.data, toStorable(mine)) })
      }
      return false
    } finally {
      setSaving(false)
    }
  }
  const setMember = useCallback(
    (pointer: string, next: unknown): void => setValue((before) => setPointerValue(before, pointer, next)),
    [],
  )
  return {
    value,
    changes: changedPointers,
    isSaving,
    error,
    collision,
    set: setMember,
    draft:
      unsavedForm &&
      listChangedPointers(baseDocument.data, unsavedForm.value).length > 0 &&
      changedPointers.length === 0
        ? unsavedForm
        : null,
    change: setValue,
    faultAt: (pointer) => extractFaults(error).find((fault) => fault.pointer === pointer)?.detail,
    save: () => attemptSave(value, baseDocument.etag),
    discard: () => applyStored(baseDocument),
    takeDraft: () => {
      if (unsavedForm) setValue(unsavedForm.value)
      setUnsavedForm(null)
    },
    dropDraft: () => {
      deleteUnsavedForm(name)
      setUnsavedForm(null)
    },
    settle: async (choice) => {
      if (!collision) return
      if (choice === 'theirs') return applyStored(collision.theirs)
      setCollision(null)
      await attemptSave(value, collision.theirs.etag)
    },
  }
}
