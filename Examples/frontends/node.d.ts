// What account.ts uses of Node. The declarations of all of it would be a package.
interface Input {
  setEncoding(name: "utf8"): void;
  on(event: "data", act: (text: string) => void): void;
}
interface Keys extends Input {
  setRawMode(isRaw: boolean): void;
  pause(): void;
}
interface Output {
  write(text: string): void;
  end(): void;
}
interface Child {
  stdin: Output;
  stdout: Input;
  stderr: Input;
  on(event: "close", act: (status: number | null) => void): void;
}
interface Reply {
  status: number;
  json(): Promise<unknown>;
}
declare function require(module: "child_process"): {
  spawn(file: string, options: string[]): Child;
};
declare function fetch(url: string, options: object): Promise<Reply>;
declare const process: { argv: string[]; exitCode: number; stdin: Keys; stdout: Output };
