/** A model that does not end while Python runs: what is cancelled is still running then. */
export const endless = `from torch import nn


class Endless(nn.Module):
    def forward(self, x):
        while True:
            pass
`;
