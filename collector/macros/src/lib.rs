//! The attribute `#[instrument]`, which `stepscope-collector` exports and documents.

mod options;

use proc_macro::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Error, ItemFn, ReturnType, parse_macro_input};

use options::Options;

/// Makes a function a span: see `stepscope_collector::instrument`.
#[proc_macro_attribute]
pub fn instrument(options: TokenStream, function: TokenStream) -> TokenStream {
    let options = parse_macro_input!(options as Options);
    let function = parse_macro_input!(function as ItemFn);
    instrumented(&options, function).unwrap_or_else(|error| error.to_compile_error()).into()
}

fn instrumented(options: &Options, mut function: ItemFn) -> Result<proc_macro2::TokenStream, Error> {
    if let Some(token) = function.sig.constness {
        return Err(Error::new(
            token.span(),
            "a `const fn` cannot be recorded: it may run while the program is compiled",
        ));
    }
    let collector = options.collector();
    let name = options.name_or(&function.sig.ident);
    let category = options.category(&collector);
    let value = options.value();
    let body = &function.block;
    let arguments = options.arguments.iter().map(|argument| {
        let (key, value) = (argument.key(), &argument.value);
        quote! {{
            static KEY: #collector::StaticName = #collector::StaticName::new(#key);
            #collector::argument(&KEY, #value);
        }}
    });
    let arguments = quote! {
        if #collector::is_recording() {
            #(#arguments)*
        }
    };
    let statements = if function.sig.asyncness.is_some() {
        // The block's type is that of the function; without this, `?` in it would have an ambiguous type.
        let returned = match &function.sig.output {
            ReturnType::Type(_, returned) if !quote!(#returned).to_string().contains("impl ") => quote_spanned! {
                returned.span() =>
                #[allow(unreachable_code, clippy::diverging_sub_expression, clippy::needless_return, clippy::empty_loop, clippy::used_underscore_binding)]
                if false {
                    let _returned: #returned = loop {};
                    return _returned;
                }
            },
            _ => quote!(),
        };
        quote! {{
            static NAME: #collector::StaticName = #collector::StaticName::new(#name);
            #collector::polled(&NAME, #category, async move {
                #returned
                #arguments
                #body
            }).await
        }}
    } else {
        quote! {{
            static NAME: #collector::StaticName = #collector::StaticName::new(#name);
            let _span = #collector::Span::with(#category, &NAME, #value);
            #arguments
            #body
        }}
    };
    *function.block = syn::parse2(statements)?;
    Ok(quote!(#function))
}
