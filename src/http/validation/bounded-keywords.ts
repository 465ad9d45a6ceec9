import { _, type Ajv, type CodeKeywordDefinition, type KeywordCxt, Name } from 'ajv'
import additionalProperties from 'ajv/dist/vocabularies/applicator/additionalProperties.js'
import items from 'ajv/dist/vocabularies/applicator/items.js'
import patternProperties from 'ajv/dist/vocabularies/applicator/patternProperties.js'
import propertyNames from 'ajv/dist/vocabularies/applicator/propertyNames.js'

/** Errors after which the validator stops: several of them may be one fault. */
export const MAX_VALIDATION_ERRORS = 1000

const errorsName = new Name('errors')

/** Makes the next loop that a keyword generates end as soon as there are enough errors. */
function limitNextLoop({ gen }: KeywordCxt, write: () => void): void {
  const { forIn, forRange } = gen
  const restoreLoops = (): void => void Object.assign(gen, { forIn, forRange })
  const limitBody =
    (body: (name: Name) => void) =>
    (name: Name): void => {
      restoreLoops()
      gen.if(_`${errorsName} >= ${MAX_VALIDATION_ERRORS}`, () => gen.break())
      body(name)
      replaceLoops()
    }
  const replaceLoops = (): void => {
    gen.forIn = (name, data, body, kind) => forIn.call(gen, name, data, limitBody(body), kind)
    gen.forRange = (name, from, to, body, kind) => forRange.call(gen, name, from, to, limitBody(body), kind)
  }
  replaceLoops()
  write()
  restoreLoops()
}

/** A keyword that iterates: not over a value that is too long already, and only until enough errors are listed. */
function createBoundedKeyword(
  definition: CodeKeywordDefinition,
  limitName: 'maxItems' | 'maxProperties',
): CodeKeywordDefinition {
  return {
    ...definition,
    code(cxt) {
      const { gen, data, parentSchema } = cxt
      const limit: unknown = parentSchema[limitName]
      const generateCode = (): void => limitNextLoop(cxt, () => definition.code(cxt))
      if (typeof limit !== 'number') generateCode()
      else
        gen.if(
          limitName === 'maxItems' ? _`${data}.length <= ${limit}` : _`Object.keys(${data}).length <= ${limit}`,
          generateCode,
        )
    },
  }
}

/**
 * Makes the keywords of a validator that lists all errors stop: after `MAX_VALIDATION_ERRORS`, and before items whose number is
 * refused. Otherwise a short request asks for an error of each of a million items.
 */
export function boundSchemaKeywords(ajv: Ajv): void {
  const definitions = [
    [items.default, 'maxItems'],
    [additionalProperties.default, 'maxProperties'],
    [patternProperties.default, 'maxProperties'],
    [propertyNames.default, 'maxProperties'],
  ] as const
  for (const [definition, maxErrors] of definitions) {
    ajv.removeKeyword(definition.keyword as string)
    ajv.addKeyword(createBoundedKeyword(definition, maxErrors))
  }
}
