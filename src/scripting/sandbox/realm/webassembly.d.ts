/** What the sandbox uses of WebAssembly: the types of Node do not declare it. */
declare namespace WebAssembly {
  /** Compiled code, which threads share. */
  class Module {
    private constructor()
  }
  class Memory {
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  function compile(bytes: Uint8Array): Promise<Module>
}
